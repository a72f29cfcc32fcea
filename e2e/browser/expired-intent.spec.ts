import { randomUUID } from 'node:crypto';
import { orderUrl } from './shop.js';
import { expect, test } from './shop-test.js';

const anHourAgo = () => new Date(Date.now() - 60 * 60 * 1000).toISOString();

test('A payment that is older than its key is looked up and not sent; the next press is a new key', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  const key = randomUUID();
  await checkout.storeIntent(order, { key, expiresAt: anHourAgo() }, 'next document');
  const asked = page.waitForResponse(orderUrl);
  await page.goto(`/checkout/${order.id}`);
  await asked;
  await expect(checkout.pay).toHaveAttribute('aria-disabled', 'false');
  expect(payments.count).toBe(0);
  expect(await checkout.storedIntent(order)).toBeNull();
  await shop.expectNothingCharged(order);

  await checkout.pay.click();
  await checkout.expectReceipt();
  expect(payments.keys).toHaveLength(1);
  expect(payments.keys).not.toContain(key);
  await shop.expectChargedOnce(order);
});

test('A payment that is older than its key and went through shows the receipt', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  const key = randomUUID();
  await shop.payElsewhere(order, key);
  await checkout.storeIntent(order, { key, expiresAt: anHourAgo() }, 'next document');
  await page.goto(`/checkout/${order.id}`);
  await checkout.expectPaid();
  expect(payments.count).toBe(0);
  await shop.expectChargedOnce(order);
});
