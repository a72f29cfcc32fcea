import type { Order } from '@pay-once/contracts';
import {
  breakStorage,
  doubleSubmit,
  holdReply,
  holdRequest,
  loseReply,
  loseRequest,
} from './payment-gestures/index.js';
import { mayRefund, PaymentRequests } from './payment-requests.js';
import { RefundPage } from './refund-page.js';
import { orderUrl, refundsUrl } from './shop.js';
import { test as base, expect } from './shop-test.js';
import { words } from './words.js';

interface Fixtures {
  order: Order;
  refund: RefundPage;
  requests: PaymentRequests;
}

// An order of Rp1.500.000 that was paid from the balance, on its page.
const test = base.extend<Fixtures>({
  order: async ({ shop }, use) => {
    const order = await shop.order();
    await shop.payElsewhere(order);
    await use(order);
  },
  refund: async ({ page }, use) => use(new RefundPage(page)),
  requests: async ({ context }, use) => use(new PaymentRequests(context, mayRefund)),
});

const all = 150_000_000;
const part = 50_000_000;

test('A refund gives back all that is left unless told, once, to where it came from', async ({
  shop,
  order,
  refund,
  requests,
}) => {
  const before = await shop.readBalance();
  await refund.open(order);
  await expect(refund.amount).toHaveValue('1500000');
  await refund.press.click();
  await expect(refund.notice(words.en.refundDone)).toBeFocused();
  await expect(refund.notice(words.en.refundedInFull)).toBeVisible();
  await expect(refund.press).toHaveCount(0);
  expect(requests.count).toBe(1);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([all]);
  expect(await shop.readBalance()).toBe(before + all);
});

test('Two refunds of two parts are two keys', async ({ shop, order, refund, requests }) => {
  await refund.open(order);
  await refund.amount.fill('500.000');
  await refund.press.click();
  await expect(refund.notice(words.en.refundedPartly)).toBeVisible();
  await refund.unfold.click();
  await expect(refund.amount).toHaveValue('1000000');
  await refund.press.click();
  await expect(refund.notice(words.en.refundedInFull)).toBeVisible();
  expect(requests.keys).toHaveLength(2);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part, all - part]);
});

test('A second refund of the same amount that never arrived is not taken for the first', async ({
  page,
  shop,
  order,
  refund,
  requests,
}) => {
  await shop.refundElsewhere(order, part);
  await refund.hurry();
  await refund.open(order, '500000');
  const lost = await loseRequest(page, refundsUrl);
  await refund.press.click();
  await expect(refund.retrySafely).toBeVisible();
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part]);
  await lost.stop();
  await refund.retrySafely.click();
  await expect(refund.notice('Rp500,000 was given back, once.')).toBeVisible();
  expect(requests.keys).toHaveLength(1);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part, part]);
});

const gestures: Record<string, (refund: RefundPage) => Promise<void>> = {
  'A double click': ({ press }) => doubleSubmit.doubleClick(press),
  'Two submits in one task': ({ form }) => doubleSubmit.twoInOneTask(form),
  'Enter held down in the field': ({ amount }) => doubleSubmit.heldEnter(amount),
};

for (const [gesture, make] of Object.entries(gestures)) {
  test(`${gesture} refunds once`, async ({ shop, order, refund, requests }) => {
    await refund.open(order, '500000');
    await make(refund);
    await expect(refund.notice(words.en.refundedPartly)).toBeVisible();
    expect(requests.count).toBe(1);
    expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part]);
  });
}

test('When the replies are lost the outcome is unknown, and is found by asking', async ({
  page,
  shop,
  order,
  refund,
  requests,
}) => {
  await refund.hurry();
  await refund.open(order);
  const lost = await loseReply(page, refundsUrl);
  const asking = await holdRequest(page, orderUrl);
  await refund.press.click();
  await expect(refund.notice(words.en.refundUnknown)).toBeVisible();
  asking.release();
  await expect(refund.notice(words.en.refundDone)).toBeVisible();
  expect(lost.statuses[0]).toBe(201);
  expect(requests.keys).toHaveLength(1);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([all]);
});

test('A reload before the reply ends on the refund without another request', async ({
  page,
  shop,
  order,
  refund,
  requests,
}) => {
  await refund.open(order, '500000');
  const hold = await holdReply(page, refundsUrl);
  await refund.press.click();
  await hold.held;
  await page.reload();
  await expect(refund.notice(words.en.refundedPartly)).toBeVisible();
  await expect(refund.notice('Rp500,000 was given back, once.')).toBeVisible();
  hold.release();
  expect(requests.count).toBe(1);
  expect(await refund.storedNames()).toEqual([]);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part]);
});

test('A reload after a request that never arrived offers the same amount under the same key', async ({
  page,
  shop,
  order,
  refund,
  requests,
}) => {
  await refund.hurry();
  await refund.open(order, '500000');
  const lost = await loseRequest(page, refundsUrl);
  await refund.press.click();
  await expect(refund.retrySafely).toBeVisible();
  await page.reload();
  await expect(refund.retrySafely).toBeVisible();
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([]);
  await lost.stop();
  await refund.retrySafely.click();
  await expect(refund.notice(words.en.refundedPartly)).toBeVisible();
  expect(requests.keys).toHaveLength(1);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part]);
});

test('More than is left is refused at the field, and by the server when another device was faster', async ({
  shop,
  order,
  refund,
  requests,
}) => {
  await refund.open(order);
  await refund.amount.fill('1500001');
  await refund.press.click();
  await expect(refund.amount).toBeFocused();
  await expect(refund.amount).toHaveAccessibleDescription(/from 1 to Rp1,500,000/);
  expect(requests.count).toBe(0);

  await shop.refundElsewhere(order, part);
  await refund.amount.fill('1500000');
  await refund.press.click();
  await expect(refund.notice(words.en.refundExceeds)).toBeFocused();
  await expect(refund.amount).toHaveAccessibleDescription(/Up to Rp1,000,000/);
  await refund.amount.fill('1000000');
  await refund.press.click();
  await expect(refund.notice(words.en.refundedInFull)).toBeVisible();
  expect(requests.keys).toHaveLength(2);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part, all - part]);
});

test('Two tabs that press at once, each for a refund of its own, give back once, and the other is told', async ({
  context,
  shop,
  order,
  requests,
}) => {
  const tabs = [new RefundPage(await context.newPage()), new RefundPage(await context.newPage())];
  // Each has a key of its own, as in the same millisecond.
  for (const { page } of tabs) await breakStorage(page, 'throws');
  const hold = await holdRequest(context, refundsUrl);
  for (const tab of tabs) {
    await tab.open(order, '500000');
    await tab.press.click();
  }
  await expect.poll(() => requests.count).toBe(2);
  hold.release();
  const ends = tabs.map((tab) =>
    tab.notice(/^(Rp500,000 was given back, once|Another refund of this payment has)/),
  );
  for (const end of ends) await expect(end).toBeVisible();
  expect(requests.keys).toHaveLength(2);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part]);
});

test('A press in a tab that has not seen the refund of another tab gives nothing back, and says so', async ({
  context,
  shop,
  order,
}) => {
  const [seeing, blind] = [new RefundPage(await context.newPage()), new RefundPage(await context.newPage())];
  for (const tab of [seeing, blind]) await tab.open(order, '500000');
  const asking = await holdRequest(blind.page, orderUrl);
  await seeing.press.click();
  await expect(seeing.notice('Rp500,000 was given back, once.')).toBeVisible();
  await blind.press.click();
  await expect(blind.notice(words.en.refundConflict)).toBeFocused();
  asking.release();
  await expect(blind.notice(words.en.refundedPartly)).toBeVisible();
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([part]);
});

test('A refund to a card whose answer the network loses is processed, then done, and was made once', async ({
  page,
  shop,
  checkout,
  refund,
  requests,
  cardNetwork,
}) => {
  const paid = await shop.order();
  await checkout.openWithCard(paid, 'card_visa_approved');
  await checkout.pay.click();
  await checkout.expectReceipt();
  await refund.unfold.click();
  const asking = await holdRequest(page, orderUrl);
  await shop.ledger.refundAlone(async () => {
    await cardNetwork.loseNextRefundReply();
    await doubleSubmit.doubleClick(refund.press);
    await expect(page.getByText(words.en.refundProcessing)).toBeVisible();
  });
  asking.release();
  await expect(refund.notice(words.en.refundDone)).toBeVisible();
  expect(await requests.statuses()).toEqual([202]);
  expect(await shop.ledger.refunds(shop.sandboxId)).toEqual([all]);
  expect(await cardNetwork.refunds(shop, paid)).toEqual([{ status: 'approved', amountMinor: all }]);
});
