import { methods } from './checkout.js';
import { goOffline, holdReply } from './payment-gestures/index.js';
import { orderUrl, paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

/** As often as the client's policy sends one key before it asks instead. */
const ATTEMPTS_MAX = 4;

test('Offline at the press nothing is sent, and coming online sends nothing by itself', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const comeBack = await goOffline(page);
  await checkout.pay.click();
  await expect(checkout.notice(words.en.offline)).toBeVisible();
  expect(await checkout.storedIntent(order)).toBeNull();

  const asked = page.waitForResponse(orderUrl);
  await comeBack();
  await asked;
  await expect(checkout.notice(words.en.offline)).toHaveCount(0);
  expect(payments.count).toBe(0);
  await shop.expectNothingCharged(order);

  await checkout.pay.click();
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});

for (const method of methods) {
  test(`Offline after the request to pay by ${method} left the outcome is unknown, and coming online asks and never sends`, async ({
    page,
    shop,
    checkout,
    payments,
    expectTakenOnce,
  }) => {
    const order = await shop.order();
    await checkout.hurry();
    await checkout.openToPayBy(method, order);
    const hold = await holdReply(page, paymentsUrl);
    await checkout.pay.click();
    await hold.held;
    const comeBack = await goOffline(page);
    await page.route(paymentsUrl, (route) => route.abort('internetdisconnected'));
    hold.drop();
    await checkout.expectUnknown();
    await expectTakenOnce(order, method);

    // It goes on sending the same key for as long as its policy allows; then only asking is left.
    await expect.poll(() => payments.count).toBe(ATTEMPTS_MAX);
    await comeBack();
    await checkout.expectReceipt();
    expect(payments.count).toBe(ATTEMPTS_MAX);
    expect(payments.keys).toHaveLength(1);
    await expectTakenOnce(order, method);
  });
}
