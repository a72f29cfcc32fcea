import { concerts } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('A price that changes before the press is refused, and what is charged at last is what was shown', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await shop.ledger.reprice(shop.sandboxId, order.id, 160_000_000);
  await checkout.pay.click();
  await expect(checkout.notice(words.en.otherAmount)).toBeFocused();
  expect(await payments.statuses()).toEqual([422]);
  await shop.expectNothingCharged(order);

  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(checkout.pay).toHaveText('Pay Rp1,600,000');
  await checkout.pay.click();
  await checkout.expectReceipt();
  expect(payments.keys).toHaveLength(2);
  await shop.expectChargedOnce({ ...order, amountMinor: 160_000_000 });
});

test('A cart that changes in another tab does not change the order that is being paid', async ({
  context,
  page,
  shop,
  checkout,
}) => {
  await shop.putInCart(concerts.monsoonStrings, 1);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Check out' }).click();
  await expect(checkout.pay).toHaveText('Pay Rp1,500,000');
  const order = await shop.readOrder(new URL(page.url()).pathname.split('/').at(-1) ?? '');

  const other = await context.newPage();
  await other.goto('/');
  const more = other.getByRole('button', { name: 'One more seat for Monsoon Strings' });
  const saved = other.waitForResponse((response) => response.request().method() === 'PUT');
  await more.click();
  await saved;
  await checkout.pay.click();
  await checkout.expectReceipt();
  await shop.expectChargedOnce(order);
  expect(order.amountMinor).toBe(150_000_000);
});
