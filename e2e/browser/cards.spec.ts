import { randomUUID } from 'node:crypto';
import type { Order } from '@pay-once/contracts';
import type { Page } from '@playwright/test';
import { Checkout } from './checkout.js';
import { doubleSubmit, holdReply, holdRequest } from './payment-gestures/index.js';
import { bodyFor, orderUrl, paymentsUrl } from './shop.js';
import { test as base, expect } from './shop-test.js';
import { words } from './words.js';

const test = base.extend<{ order: Order }>({
  order: async ({ shop }, use) => use(await shop.order()),
});

test('A card that is approved pays once, and the receipt names it', async ({
  page,
  checkout,
  payments,
  order,
  expectTakenOnce,
}) => {
  await checkout.openWithCard(order, 'card_visa_approved');
  await checkout.pay.click();
  await checkout.expectReceipt();
  await expect(page.getByText(words.en.paidByCard)).toBeVisible();
  expect(payments.count).toBe(1);
  await expectTakenOnce(order, 'card');
});

test('After a decline the words, the fields and the focus are right, and the next press is a new key that pays', {
  tag: '@phone',
}, async ({ page, shop, checkout, payments, order, expectTakenOnce }) => {
  await checkout.openWithCard(order, 'card_declined');
  await checkout.press();
  const declined = checkout.notice(words.en.declined);
  await expect(declined).toBeFocused();
  await expect(checkout.cardMethod).toBeChecked();
  await expect(checkout.card).toHaveValue('card_declined');
  expect(await checkout.storedIntent(order)).toBeNull();
  await shop.expectNothingCharged(order, { declines: 1 });

  await checkout.card.selectOption('card_visa_approved');
  await checkout.press();
  await checkout.expectReceipt();
  expect(payments.count).toBe(2);
  expect(payments.keys).toHaveLength(2);
  await expectTakenOnce(order, 'card', { declinesBefore: 1 });
  await expect(page.getByText(words.en.paidByCard)).toBeVisible();
});

test('When the network loses its answer the payment is said to be processed, and becomes the receipt by asking', async ({
  page,
  checkout,
  payments,
  order,
  expectTakenOnce,
}) => {
  await checkout.openWithCard(order, 'card_reply_lost');
  const asking = await holdRequest(page, orderUrl);
  await checkout.pay.click();
  const processing = checkout.notice(words.en.processing);
  await expect(processing).toBeVisible();
  await expect(processing).toHaveAttribute('data-tone', 'waiting');
  await expect(checkout.pay).toHaveAttribute('aria-disabled', 'true');
  asking.release();
  await checkout.expectReceipt();
  expect(await payments.statuses()).toEqual([202]);
  await expectTakenOnce(order, 'card');
});

test('A payment that no machine can settle is left to a person, with its number and nothing to press', async ({
  page,
  shop,
  checkout,
  payments,
  cardNetwork,
  order,
}) => {
  await checkout.openWithCard(order, 'card_wrong_amount');
  const everShown = await everyTextFromNowOn(page);
  await checkout.pay.click();
  const notice = checkout.notice(words.en.needsPerson);
  await expect(notice).toBeVisible();
  expect((await everShown()).filter((text) => text.includes('Paid'))).toEqual([]);
  const { payments: made } = await shop.readOrder(order.id);
  for (const visit of ['the order page', 'after a reload', 'the checkout']) {
    await expect(notice, visit).toBeVisible();
    await expect(notice, visit).toContainText(made[0]?.id ?? 'a payment number');
    await expect(notice, visit).toHaveAttribute('data-tone', 'waiting');
    await expect(checkout.pay, visit).toHaveCount(0);
    await expect(checkout.retrySafely, visit).toHaveCount(0);
    if (visit === 'the order page') await page.reload();
    else await page.goto(`/checkout/${order.id}`);
  }
  expect(payments.count).toBe(1);
  expect(await checkout.storedIntent(order)).toBeNull();
  expect(await shop.recorded(order)).toMatchObject({
    status: 'paying',
    payments: ['needs_review'],
    charges: [],
    answers: [202],
    unfinishedKeys: 0,
    unaccounted: 0,
  });
  expect(await cardNetwork.authorisations(shop, order)).toMatchObject([{ status: 'approved' }]);
});

test('A slow card says so, and pays once', async ({ page, checkout, payments, order, expectTakenOnce }) => {
  await checkout.openWithCard(order, 'card_slow');
  await checkout.pay.click();
  await expect(page.getByText(words.en.sending)).toBeVisible();
  await expect(page.getByText(words.en.slow)).toBeVisible();
  await checkout.expectReceipt();
  expect(await payments.statuses()).toEqual([201]);
  await expectTakenOnce(order, 'card');
});

const gestures: Record<string, (checkout: Checkout) => Promise<void>> = {
  'A double click': ({ pay }) => doubleSubmit.doubleClick(pay),
  'Two submits in one task': ({ form }) => doubleSubmit.twoInOneTask(form),
};

for (const [gesture, make] of Object.entries(gestures)) {
  test(`${gesture} with a card sends one request and is authorised once`, async ({
    checkout,
    payments,
    order,
    expectTakenOnce,
  }) => {
    await checkout.openWithCard(order, 'card_visa_approved');
    await make(checkout);
    await checkout.expectReceipt();
    expect(payments.count).toBe(1);
    await expectTakenOnce(order, 'card');
  });
}

test('A reload while the network is being asked shows the payment as processed, and ends on the receipt', async ({
  page,
  shop,
  checkout,
  payments,
  order,
  expectTakenOnce,
}) => {
  await checkout.openWithCard(order, 'card_slow');
  await checkout.pay.click();
  await expect.poll(async () => (await shop.readOrder(order.id)).status).toBe('paying');
  await page.reload();
  await expect(checkout.notice(words.en.processing)).toBeVisible();
  await expect(checkout.card).toHaveValue('card_slow');
  await expect(checkout.pay).toHaveAttribute('aria-disabled', 'true');
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  expect(await checkout.storedIntent(order)).toBeNull();
  await expectTakenOnce(order, 'card');
});

test('The order page of a payment that is processed says so and becomes the receipt by itself', async ({
  page,
  shop,
  checkout,
  order,
  expectTakenOnce,
}) => {
  await checkout.openWithCard(order, 'card_slow');
  await checkout.pay.click();
  await expect.poll(async () => (await shop.readOrder(order.id)).status).toBe('paying');
  await page.goto(`/orders/${order.id}`);
  await expect(checkout.notice(words.en.processing)).toBeVisible();
  await checkout.expectReceipt();
  await expectTakenOnce(order, 'card');
});

test('The form shows the card of the stored intention, and what is sent again is that card', async ({
  page,
  checkout,
  payments,
  order,
  expectTakenOnce,
}) => {
  const body = JSON.stringify(bodyFor(order, 'card_visa_approved'));
  const key = randomUUID();
  await checkout.storeIntent(order, { key, body }, 'next document');
  const asking = await holdRequest(page, orderUrl, { after: 1 });
  await checkout.open(order);
  await asking.held;
  await expect(checkout.cardMethod).toBeChecked();
  await expect(checkout.card).toHaveValue('card_visa_approved');
  asking.release();
  await checkout.retrySafely.click();
  await checkout.expectReceipt();
  expect(payments.sent).toMatchObject([{ key, body }]);
  await expectTakenOnce(order, 'card');
});

test('When another tab pays by card this tab shows that card, and sends it too when it is pressed', async ({
  context,
  checkout,
  payments,
  order,
  expectTakenOnce,
}) => {
  const other = new Checkout(await context.newPage());
  await other.open(order);
  await checkout.openWithCard(order, 'card_visa_approved');
  const hold = await holdReply(checkout.page, paymentsUrl);
  await checkout.pay.click();
  await expect(other.cardMethod).toBeChecked();
  await expect(other.card).toHaveValue('card_visa_approved');
  await other.pay.click();
  await other.expectPaid();
  hold.release();
  await checkout.expectPaid();
  expect(payments.keys).toHaveLength(1);
  expect(new Set(payments.sent.map(({ body }) => body))).toEqual(
    new Set([JSON.stringify(bodyFor(order, 'card_visa_approved'))]),
  );
  await expectTakenOnce(order, 'card');
});

/** Notes what the page says at each of its changes, so that a word that stood there for a moment is known, too. */
async function everyTextFromNowOn(page: Page): Promise<() => Promise<string[]>> {
  const texts = await page.evaluateHandle(() => {
    const said: string[] = [];
    new MutationObserver(() => said.push(document.body.textContent ?? '')).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return said;
  });
  return () => texts.jsonValue();
}
