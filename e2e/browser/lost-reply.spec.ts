import { methods } from './checkout.js';
import { holdRequest, loseReply } from './payment-gestures/index.js';
import { orderUrl, paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

for (const method of methods) {
  test(`After a charge by ${method} whose replies are all lost the outcome is unknown, and becomes the receipt by itself`, {
    tag: '@phone',
  }, async ({ page, shop, checkout, payments, expectTakenOnce }) => {
    const order = await shop.order();
    await checkout.hurry();
    await checkout.openToPayBy(method, order);
    const lost = await loseReply(page, paymentsUrl);
    const asking = await holdRequest(page, orderUrl);
    await checkout.press();
    await checkout.expectUnknown();
    await expect(checkout.retrySafely).toHaveCount(0);
    expect(lost.statuses).toContain(201);
    await expectTakenOnce(order, method);

    // It says so from the first lost reply on, while the same key is sent again; it asks when it has stopped sending.
    await asking.held;
    const sent = payments.count;
    asking.release();
    await checkout.expectReceipt();
    expect(payments.count).toBe(sent);
    expect(payments.keys).toHaveLength(1);
    await expectTakenOnce(order, method);
  });
}

test('When only the first reply is lost the same key gets the first receipt', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const lost = await loseReply(page, paymentsUrl, { times: 1 });
  await checkout.pay.click();
  await checkout.expectReceipt(words.en.replay);
  expect(lost.statuses).toEqual([201]);
  expect(await payments.statuses()).toEqual([null, 201]);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});
