import { loseRequest } from './payment-gestures/index.js';
import { bodyFor, paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';

test('One key and the same bytes go out on every attempt, are stored before the first one, and are gone after the last', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.hurry();
  await checkout.open(order);
  expect(await checkout.storedIntent(order)).toBeNull();

  const storedAtFirst = new Promise((resolve) => {
    void page.route(
      paymentsUrl,
      async (route) => {
        resolve(await checkout.storedIntent(order));
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
  });
  const loss = await loseRequest(page, paymentsUrl, { times: 3 });
  await checkout.pay.click();
  const [first] = await Promise.all([storedAtFirst, expect(checkout.retrySafely).toBeVisible()]);
  expect(first).toMatchObject({
    key: payments.keys[0],
    operation: 'payments.create',
    body: payments.sent[0]?.body,
  });
  expect(JSON.parse(payments.sent[0]?.body ?? '')).toEqual(bodyFor(order));
  await loss.stop();

  await page.reload();
  await checkout.retrySafely.click();
  await checkout.expectReceipt();
  expect(payments.count).toBeGreaterThan(4);
  expect(payments.keys).toHaveLength(1);
  expect(new Set(payments.sent.map((payment) => payment.body)).size).toBe(1);
  expect(new Set(payments.sent.map((payment) => payment.path))).toEqual(
    new Set([`/api/orders/${order.id}/payments`]),
  );
  expect(await checkout.storedIntent(order)).toBeNull();
  await shop.expectChargedOnce(order);
});

test('Another order is another key', async ({ shop, checkout, payments }) => {
  for (const order of [await shop.order(), await shop.order()]) {
    await checkout.open(order);
    await checkout.pay.click();
    await checkout.expectReceipt();
  }
  expect(payments.keys).toHaveLength(2);
  expect(await shop.readCharges()).toBe(2);
});
