import { orderUrl, paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';

test('With eight tabs of the shop open Pay leaves the browser within a second', async ({
  context,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  for (let tab = 0; tab < 7; tab += 1) {
    const other = await context.newPage();
    const loaded = other.waitForResponse(orderUrl);
    await other.goto(tab % 2 === 0 ? `/checkout/${order.id}` : `/orders/${order.id}`);
    await loaded;
  }
  await checkout.open(order);
  const answered = checkout.page.waitForResponse(paymentsUrl);
  await checkout.pay.click();
  const { requestStart, startTime } = (await answered).request().timing();
  await checkout.expectReceipt();
  expect(startTime).toBeGreaterThan(0);
  expect(requestStart).toBeLessThan(1_000);
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});
