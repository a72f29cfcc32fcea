import { methods } from './checkout.js';
import { loseRequest } from './payment-gestures/index.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

for (const method of methods) {
  test(`After a request to pay by ${method} that never arrived the safe retry sends the same key and charges once`, async ({
    page,
    shop,
    checkout,
    payments,
    expectTakenOnce,
  }) => {
    const order = await shop.order();
    await checkout.hurry();
    await checkout.openToPayBy(method, order);
    const loss = await loseRequest(page, paymentsUrl);
    await checkout.pay.click();
    await expect(checkout.retrySafely).toBeVisible();
    await expect(page.getByText(words.en.retrySafelyWhy)).toBeVisible();
    await expect(checkout.pay).toHaveCount(0);
    await shop.expectNothingCharged(order);

    await loss.stop();
    await checkout.retrySafely.click();
    await checkout.expectReceipt();
    expect(payments.keys).toHaveLength(1);
    await expectTakenOnce(order, method);
  });
}

test('A request that is lost once is sent again by itself within the same press', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await loseRequest(page, paymentsUrl, { times: 1 });
  await checkout.pay.click();
  await checkout.expectReceipt();
  expect(await payments.statuses()).toEqual([null, 201]);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});
