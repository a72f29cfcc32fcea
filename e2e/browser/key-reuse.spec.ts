import { randomUUID } from 'node:crypto';
import { holdRequest } from './payment-gestures/index.js';
import { concerts, orderUrl, paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';

test('A key that belongs to another order is a bug in the shop that charges nothing, and the order is looked up first', async ({
  page,
  shop,
  checkout,
}) => {
  const earlier = await shop.order();
  const key = randomUUID();
  await shop.payElsewhere(earlier, key);
  const order = await shop.order(concerts.nightTrain);
  await checkout.open(order);
  await checkout.storeIntent(order, { key }, 'now');
  const refusal = page.waitForResponse(paymentsUrl);
  const asking = await holdRequest(page, orderUrl);
  await checkout.pay.click();
  expect((await refusal).status()).toBe(422);
  await asking.held;
  await checkout.expectUnknown();

  asking.release();
  const notice = checkout.notice(/The first payment did not go through/);
  await expect(notice).toContainText('This is a bug in the shop. This request charged nothing.');
  await expect(notice).toContainText('Make a new order from the cart');
  expect(await checkout.storedIntent(order)).toBeNull();
  expect((await shop.readOrder(order.id)).status).toBe('unpaid');
  await shop.expectChargedOnce(earlier);
});

test('After a reuse of the key for an order that is paid, the receipt comes with the words about the bug', async ({
  shop,
  checkout,
}) => {
  const order = await shop.order();
  const key = randomUUID();
  await checkout.open(order);
  await shop.payElsewhere(order, key);
  await checkout.storeIntent(
    order,
    { key, body: JSON.stringify({ amountMinor: 1, currency: 'IDR', method: { type: 'balance' } }) },
    'now',
  );
  await checkout.pay.click();
  await checkout.expectReceipt(
    /The first payment went through: this order is paid, and you were charged once/,
  );
  await expect(checkout.notice(/The first payment went through/)).toContainText(
    'This is a bug in the shop. This request charged nothing.',
  );
  await shop.expectChargedOnce(order);
});
