import type { Page } from '@playwright/test';
import { methods } from './checkout.js';
import { holdReply, holdRequest } from './payment-gestures/index.js';
import { concerts, paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

/** Goes to the checkout as a shopper does, so that there is a page to go back to. */
async function checkOutCart(page: Page): Promise<string> {
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Check out' }).click();
  await page.waitForURL('**/checkout/*');
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

test('Back and forward after paying never show Pay and never send anything', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  await shop.putInCart(concerts.monsoonStrings, 1);
  const order = await shop.readOrder(await checkOutCart(page));
  await checkout.pay.click();
  await checkout.expectReceipt();

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Cart', level: 1 })).toBeVisible();
  await expect(checkout.pay).toHaveCount(0);
  await page.goForward();
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});

test('Back to a checkout whose order was paid meanwhile says that it is paid', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await page.goto('/orders');
  await shop.payElsewhere(order);
  await page.goBack();
  await expect(checkout.notice(words.en.alreadyPaid)).toBeVisible();
  await expect(checkout.pay).toHaveCount(0);
  await checkout.seeReceipt.click();
  await checkout.expectReceipt();
  expect(payments.count).toBe(0);
  await shop.expectChargedOnce(order);
});

for (const method of methods) {
  test(`Back and forward while a request to pay by ${method} is under way come to the receipt`, async ({
    page,
    shop,
    checkout,
    payments,
    expectTakenOnce,
  }) => {
    await shop.putInCart(concerts.monsoonStrings, 1);
    const order = await shop.readOrder(await checkOutCart(page));
    await checkout.choose(method);
    const hold = await holdReply(page, paymentsUrl);
    await checkout.pay.click();
    await hold.held;
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Cart', level: 1 })).toBeVisible();
    await page.goForward();
    hold.release();
    await checkout.expectPaid();
    expect(payments.count).toBe(1);
    await expectTakenOnce(order, method);
  });
}

test('Leaving the site while the request is under way and coming back is never a dead button', async ({
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
  await page.goto('/problems/card_declined');
  await page.goBack();
  await expect(checkout.retrySafely).toBeVisible();
  hold.release();
  await checkout.retrySafely.click();
  await checkout.expectReceipt();
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});
