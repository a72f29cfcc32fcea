import { randomUUID } from 'node:crypto';
import { goOffline } from './payment-gestures/index.js';
import { orderUrl } from './shop.js';
import { expect, test } from './shop-test.js';

test('A checkout that opens with an unfinished payment only asks, whatever else happens to the page', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  const key = randomUUID();
  await checkout.storeIntent(order, { key }, 'next document');
  await page.goto(`/checkout/${order.id}`);
  await expect(checkout.retrySafely).toBeVisible();

  for (const event of ['focus', 'online']) {
    const asked = page.waitForResponse(orderUrl);
    await page.evaluate((name) => window.dispatchEvent(new Event(name)), event);
    await asked;
  }
  const asked = page.waitForResponse(orderUrl);
  await page.getByRole('button', { name: 'Ask again now' }).click();
  await asked;
  const comeBack = await goOffline(page);
  const askedOnline = page.waitForResponse(orderUrl);
  await comeBack();
  await askedOnline;
  await page.reload();
  await expect(checkout.retrySafely).toBeVisible();
  expect(payments.count).toBe(0);
  expect(await checkout.storedIntent(order)).toMatchObject({ key });
  await shop.expectNothingCharged(order);

  await checkout.retrySafely.click();
  await checkout.expectReceipt();
  expect(payments.keys).toEqual([key]);
  await shop.expectChargedOnce(order);
});

test('A checkout that opens with a payment that went through shows the receipt and sends nothing', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  const key = randomUUID();
  await shop.payElsewhere(order, key);
  await checkout.storeIntent(order, { key }, 'next document');
  await page.goto(`/checkout/${order.id}`);
  await checkout.expectPaid();
  expect(payments.count).toBe(0);
  await shop.expectChargedOnce(order);
});

test('A checkout that opens without one sends nothing', async ({ shop, checkout, payments }) => {
  const order = await shop.order();
  await checkout.open(order);
  expect(payments.count).toBe(0);
  expect(await checkout.storedIntent(order)).toBeNull();
  await shop.expectNothingCharged(order);
});

test('Garbage in the storage is no payment', async ({ page, shop, checkout, payments }) => {
  const order = await shop.order();
  await checkout.open(order);
  for (const garbage of ['', '{', 'null', '[]', '{"key":"a b\\n"}', '{"key":7,"body":{}}']) {
    await page.evaluate(
      ([name, text]) => localStorage.setItem(name ?? '', text ?? ''),
      [`pay-once:order:${order.id}`, garbage],
    );
    await checkout.open(order);
  }
  await checkout.pay.click();
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});
