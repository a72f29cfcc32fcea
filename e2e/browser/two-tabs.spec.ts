import { Checkout, methods } from './checkout.js';
import { breakStorage, holdRequest, twoTabs } from './payment-gestures/index.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

const tabsInUse = ['share one key', 'cannot see each other’s storage'].flatMap((storage) =>
  methods.map((method) => ({ storage, method })),
);

for (const { storage, method } of tabsInUse) {
  test(`Two tabs that ${storage}, and whose requests to pay by ${method} arrive together, charge once`, async ({
    context,
    shop,
    payments,
    expectTakenOnce,
  }) => {
    const order = await shop.order();
    const [first, second] = [new Checkout(await context.newPage()), new Checkout(await context.newPage())];
    if (storage !== 'share one key') {
      for (const tab of [first, second]) await breakStorage(tab.page, 'throws');
    }
    const hold = await holdRequest(context, paymentsUrl);
    for (const tab of [first, second]) await tab.openToPayBy(method, order);
    for (const tab of [first, second]) await tab.pay.click();
    await expect.poll(() => payments.count).toBe(2);
    hold.release();
    for (const tab of [first, second]) await tab.expectPaid();
    expect(payments.keys).toHaveLength(storage === 'share one key' ? 1 : 2);
    await expectTakenOnce(order, method);
  });
}

test('Pressing Pay in two tabs at once charges once, and both end on a paid order', async ({
  context,
  shop,
}) => {
  const order = await shop.order();
  const tabs = (await twoTabs(context, `/checkout/${order.id}`)).map((tab) => new Checkout(tab));
  const buttons = await Promise.all(tabs.map((tab) => tab.pay.elementHandle()));
  // Not by the locator, which waits for a button: by then the other tab may have paid and taken it away.
  await Promise.all(buttons.map((button) => button?.dispatchEvent('click')));
  for (const tab of tabs) await tab.expectPaid();
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
  await checkout.expectPaid();
  expect(payments.count).toBe(0);
  await shop.expectChargedOnce(order);
});
