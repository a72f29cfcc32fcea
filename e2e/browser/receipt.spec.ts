import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('The receipt holds what a person needs, survives a reload, and is what the server recorded', {
  tag: '@phone',
}, async ({ page, shop, checkout }) => {
  const order = await shop.order();
  await checkout.open(order);
  await checkout.press();
  await checkout.expectReceipt();
  const [payment] = (await shop.readOrder(order.id)).payments;
  for (const visit of ['first', 'after a reload']) {
    const receipt = page.getByRole('region', { name: words.en.receipt });
    await expect(receipt, visit).toContainText(order.number);
    await expect(receipt, visit).toContainText(words.en.amount);
    await expect(receipt, visit).toContainText('1 time');
    await expect(receipt, visit).toContainText('Balance');
    await expect(receipt, visit).toContainText(payment?.id ?? 'a payment id');
    await expect(receipt, visit).toContainText(/GMT\+7|WIB/);
    await page.reload();
  }
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: words.en.receipt })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Buy again' })).toBeHidden();
});

test('Buying again is a new order with a key of its own', async ({ page, shop, checkout, payments }) => {
  const order = await shop.order();
  await checkout.open(order);
  await checkout.pay.click();
  await checkout.expectReceipt();
  await page.getByRole('button', { name: 'Buy again' }).dblclick();
  await expect(checkout.pay).toBeVisible();
  const again = await shop.readOrder(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(again.id).not.toBe(order.id);
  await checkout.pay.click();
  await checkout.expectReceipt();
  expect(payments.keys).toHaveLength(2);
  expect(await shop.readCharges()).toBe(2);
});

test('The receipt leads to what really happened: each try, one charge, and what was given back', async ({
  page,
  shop,
  checkout,
}) => {
  const order = await shop.order();
  await shop.setBalance(0);
  await shop.declineElsewhere(order);
  await shop.setBalance(order.amountMinor);
  await checkout.open(order);
  await checkout.pay.click();
  await checkout.expectReceipt();
  await shop.expectChargedOnce(order, { declinesBefore: 1 });
  await shop.refundElsewhere(order, order.amountMinor / 2);
  await page.getByRole('link', { name: words.en.timeline }).click();
  await expect(page.getByRole('heading', { name: words.en.timeline })).toBeFocused();
  await expect(page.getByText('You were charged once.')).toBeVisible();
  const steps = page.getByRole('main').getByRole('listitem');
  await expect(steps.filter({ hasText: 'Refund. Given back' })).toContainText('Rp750,000');
  await expect(steps.first()).toContainText(
    `Order made. Nothing was charged by this.Rp1,500,000${order.number}`,
  );
  await expect(steps.nth(1)).toContainText('Declined, nothing was charged. Balance');
  await expect(steps.filter({ hasText: /Charged\. Balance/ })).toHaveCount(1);
  const { payments } = await shop.readOrder(order.id);
  for (const { id } of payments) await expect(steps.filter({ hasText: id })).toHaveCount(1);
  await page.reload();
  await expect(steps.filter({ hasText: /Charged\. Balance/ })).toHaveCount(1);
});
