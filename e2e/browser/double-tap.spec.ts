import { doubleSubmit } from './payment-gestures/index.js';
import { expect, test } from './shop-test.js';

/** How many times slower than this machine: about a cheap phone. */
const slowdown = 4;

test('A double tap on a slow phone sends one request and charges once', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await doubleSubmit.doubleTap(checkout.pay);
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});
