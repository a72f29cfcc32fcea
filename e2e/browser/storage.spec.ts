import { methods } from './checkout.js';
import { arriveLate, breakStorage, doubleSubmit, holdReply, holdRequest } from './payment-gestures/index.js';
import { readNextAnswer } from './payment-requests.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';

for (const how of ['throws', 'full'] as const) {
  const storage = how === 'throws' ? 'storage that throws' : 'full storage';

  test(`With ${storage} a double click still sends one request and charges once`, async ({
    page,
    shop,
    checkout,
    payments,
  }) => {
    await breakStorage(page, how);
    const order = await shop.order();
    await checkout.open(order);
    await doubleSubmit.doubleClick(checkout.pay);
    await checkout.expectReceipt();
    expect(payments.count).toBe(1);
    await shop.expectChargedOnce(order);
  });

  test(`With ${storage} a retry within the page still uses the same key`, async ({
    page,
    shop,
    checkout,
    payments,
  }) => {
    await breakStorage(page, how);
    const order = await shop.order();
    await checkout.hurry();
    await checkout.open(order);
    await page.route(paymentsUrl, (route) => route.abort('connectionreset'), { times: 5 });
    await checkout.pay.click();
    await checkout.retrySafely.click();
    await checkout.expectReceipt();
    expect(payments.count).toBe(6);
    expect(payments.keys).toHaveLength(1);
    await shop.expectChargedOnce(order);
  });
}

for (const method of methods) {
  test(`Storage that is cleared after a charge by ${method} and a reload end on a paid order without Pay`, async ({
    page,
    shop,
    checkout,
    payments,
    expectTakenOnce,
  }) => {
    const order = await shop.order();
    await checkout.openToPayBy(method, order);
    const hold = await holdReply(page, paymentsUrl);
    await checkout.pay.click();
    await hold.held;
    await breakStorage(page, 'cleared');
    await page.reload();
    await checkout.expectPaid();
    expect(payments.count).toBe(1);
    await expectTakenOnce(order, method);
  });
}

test('Storage that is cleared while the request is under way does not change the retry', async ({
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
  await breakStorage(page, 'cleared');
  hold.drop();
  await checkout.expectReceipt();
  expect(payments.count).toBe(2);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});

test('With the storage cleared and the page reloaded, a press while the first is still running charges once', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const late = await arriveLate(page, paymentsUrl);
  await checkout.pay.click();
  await late.left;
  await breakStorage(page, 'cleared');
  await page.reload();
  await expect(checkout.pay).toBeVisible();
  await shop.ledger.whileBalanceIsHeld(shop.sandboxId, async (stopped) => {
    void late.arrive();
    await stopped();
    const second = await readNextAnswer(page);
    await checkout.pay.click();
    expect(await second.body).toMatchObject({ code: 'order_being_paid' });
  });
  expect(await late.arrive()).toBe(201);
  await checkout.expectPaid();
  await expect(page.getByRole('main')).not.toContainText('bug in the shop');
  expect(payments.keys).toHaveLength(2);
  await shop.expectChargedOnce(order);
});
