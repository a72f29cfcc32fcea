import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('Not enough balance says that no money moved; after a top-up the next press is a new key and charges once', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await shop.setBalance(order.amountMinor - 1);
  await checkout.open(order);
  await checkout.pay.click();
  await expect(checkout.notice(words.en.balanceInsufficient)).toBeFocused();
  expect(await checkout.storedIntent(order)).toBeNull();
  await shop.expectNothingCharged(order, { declines: 1 });

  await page.getByRole('button', { name: 'Set balance to Rp1,500,000' }).click();
  await expect(page.getByText('The balance is now Rp1,500,000. You can pay.')).toBeVisible();
  await expect(checkout.notice(words.en.toppedUp)).toBeVisible();
  await expect(checkout.notice(words.en.balanceInsufficient)).toHaveCount(0);
  await checkout.pay.click();
  await checkout.expectReceipt();
  expect(await payments.statuses()).toEqual([402, 201]);
  expect(payments.keys).toHaveLength(2);
  await shop.expectChargedOnce(order, { declinesBefore: 1 });
});

test('The form for the balance shows what the balance is by then', async ({ page, shop, checkout }) => {
  await checkout.open(await shop.order());
  await checkout.pay.click();
  await checkout.expectReceipt();
  await page.getByRole('button', { name: /^Balance/ }).click();
  const field = page.getByRole('textbox', { name: 'New balance in rupiah' });
  await expect(field).toHaveValue('8500000');
  await field.fill('Rp2.000.000');
  await page.getByRole('button', { name: 'Set balance', exact: true }).click();
  await expect(field).toHaveValue('2000000');
  expect(await shop.readBalance()).toBe(200_000_000);

  await field.fill('15000,00');
  await page.getByRole('button', { name: 'Set balance', exact: true }).click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(await shop.readBalance()).toBe(200_000_000);
});
