import { doubleSubmit } from './payment-gestures/index.js';
import { expect, test } from './shop-test.js';

test('A double tap on a slow phone sends one request and charges once', { tag: '@phone' }, async ({
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await doubleSubmit.doubleTap(checkout.pay);
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});
