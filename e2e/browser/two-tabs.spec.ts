import { Checkout } from './checkout.js';
import { breakStorage, holdRequest, twoTabs } from './payment-gestures/index.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('Pressing Pay in two tabs at once charges once, and both end on the receipt', async ({
  context,
  shop,
  payments,
}) => {
  const order = await shop.order();
  const tabs = (await twoTabs(context, `/checkout/${order.id}`)).map((tab) => new Checkout(tab));
  await Promise.all(tabs.map((tab) => expect(tab.pay).toBeVisible()));
  await Promise.all(tabs.map((tab) => tab.pay.click({ noWaitAfter: true })));
  for (const tab of tabs) await tab.expectReceipt(/charged once|already paid|paid in another tab/);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});

test('Two tabs whose requests arrive together use one key and charge once', async ({
  context,
  shop,
  payments,
}) => {
  const order = await shop.order();
  const [first, second] = (await twoTabs(context, `/checkout/${order.id}`)).map((tab) => new Checkout(tab));
  if (!first || !second) throw new Error('There are two tabs.');
  const holds = await Promise.all([first, second].map((tab) => holdRequest(tab.page, paymentsUrl)));
  for (const tab of [first, second]) {
    await expect(tab.pay).toBeVisible();
    await tab.pay.click();
  }
  await Promise.all(holds.map((hold) => hold.held));
  expect(payments.count).toBe(2);
  for (const hold of holds) hold.release();
  for (const tab of [first, second]) await tab.expectReceipt(/charged once|already paid|paid in another tab/);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});

test('Two tabs that cannot see each other’s storage charge once, and both end on the receipt', async ({
  context,
  shop,
  payments,
}) => {
  const order = await shop.order();
  const tabs = [new Checkout(await context.newPage()), new Checkout(await context.newPage())];
  for (const tab of tabs) {
    await breakStorage(tab.page, 'throws');
    await tab.open(order);
  }
  await Promise.all(tabs.map((tab) => tab.pay.click({ noWaitAfter: true })));
  for (const tab of tabs) await tab.expectReceipt(/charged once|already paid|paid in another tab/);
  expect(payments.keys).toHaveLength(2);
  await shop.expectChargedOnce(order);
});

test('A tab that was left open at the checkout says that the order was paid in another tab', async ({
  context,
  shop,
  payments,
}) => {
  const order = await shop.order();
  const [paying, waiting] = (await twoTabs(context, `/checkout/${order.id}`)).map((tab) => new Checkout(tab));
  if (!paying || !waiting) throw new Error('There are two tabs.');
  await expect(waiting.pay).toBeVisible();
  await paying.pay.click();
  await paying.expectReceipt();
  await waiting.expectReceipt(words.en.otherTab);
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});

test('A checkout that is looked at again finds out that the order was paid on another device', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await shop.payElsewhere(order);
  // A headless browser has no window to look away from; this is the event that coming back brings.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(checkout.receipt.or(checkout.seeReceipt)).toBeVisible();
  await expect(checkout.pay).toHaveCount(0);
  expect(payments.count).toBe(0);
  await shop.expectChargedOnce(order);
});
