import type { Page } from '@playwright/test';
import { methods } from './checkout.js';
import { holdReply, holdRequest } from './payment-gestures/index.js';
import { mayCharge } from './payment-requests.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';

for (const method of methods) {
  test(`A reload after a charge by ${method} and before the reply ends on the receipt without another request`, {
    tag: '@phone',
  }, async ({ page, shop, checkout, payments, expectTakenOnce }) => {
    const order = await shop.order();
    await checkout.openToPayBy(method, order);
    const hold = await holdReply(page, paymentsUrl);
    await checkout.press();
    await hold.held;
    await page.reload();
    await checkout.expectReceipt();
    hold.release();
    expect(payments.count).toBe(1);
    expect(await checkout.storedIntent(order)).toBeNull();
    await expectTakenOnce(order, method);
  });
}

test('A reload before the request arrived offers a safe retry with the same key', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const hold = await holdRequest(page, paymentsUrl);
  await checkout.pay.click();
  await hold.held;
  await page.reload();
  await expect(checkout.retrySafely).toBeVisible();
  await expect(checkout.pay).toHaveCount(0);
  expect(payments.count).toBe(1);
  await shop.expectNothingCharged(order);

  hold.release();
  await checkout.retrySafely.click();
  await checkout.expectReceipt();
  expect(payments.count).toBe(2);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});

/** Moments of one payment, as the browser tells them. The reload comes while whatever follows is still open. */
const moments: Record<string, (page: Page) => Promise<unknown>> = {
  'as soon as the request leaves': (page) => page.waitForRequest(mayCharge),
  'as soon as the reply comes in': (page) =>
    page.waitForResponse((response) => mayCharge(response.request())),
  'as soon as the key is forgotten': (page) => page.evaluate(keyForgotten),
  'as soon as the receipt takes the place of the checkout': (page) => page.waitForEvent('framenavigated'),
};

function keyForgotten(): Promise<void> {
  const { removeItem } = Storage.prototype;
  return new Promise((forgotten) => {
    Storage.prototype.removeItem = function (name) {
      removeItem.call(this, name);
      if (this === localStorage) forgotten();
    };
  });
}

for (const [moment, come] of Object.entries(moments)) {
  test(`A reload ${moment} can be resumed and charges once`, async ({ page, shop, checkout, payments }) => {
    const order = await shop.order();
    await checkout.open(order);
    const came = come(page);
    await Promise.all([checkout.pay.click(), came.then(() => page.reload())]);

    // Whatever had happened by then: a paid order, or the offer to go on with the same key.
    await expect(checkout.receipt.or(checkout.seeReceipt).or(checkout.retrySafely)).toBeVisible();
    if (await checkout.retrySafely.isVisible()) await checkout.retrySafely.click();
    await checkout.expectPaid();
    expect(payments.keys).toHaveLength(1);
    await shop.expectChargedOnce(order);
  });
}

test('Reloading the receipt shows it again and sends nothing', async ({ page, shop, checkout, payments }) => {
  const order = await shop.order();
  await checkout.open(order);
  await checkout.pay.click();
  await checkout.expectReceipt();
  await page.reload();
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});
