import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { Checkout } from './checkout.js';
import { ContactPage, letter } from './contact-page.js';
import { breakStorage, goOffline, holdRequest, loseReply, loseRequest } from './payment-gestures/index.js';
import { RefundPage } from './refund-page.js';
import { concerts, messagesUrl, orderUrl, paymentsUrl, refundsUrl, type Shop } from './shop.js';
import type { words } from './words.js';

type Words = (typeof words)['en' | 'id'];

interface Stage {
  page: Page;
  shop: Shop;
  checkout: Checkout;
}

export interface State {
  name: string;
  /** Brings the page there, and leaves it there. */
  reach(stage: Stage): Promise<void>;
  /** The promised words, each of which stands on the page as it is. */
  says(words: Words): string[];
}

const part = 50_000_000;

/** An order that was paid from the balance, on its page with the form for a refund unfolded. */
async function openRefund({ page, shop }: Stage): Promise<RefundPage> {
  const order = await shop.order();
  await shop.payElsewhere(order);
  const refund = new RefundPage(page);
  await refund.hurry();
  await refund.open(order);
  return refund;
}

/** A refund of `amount` rupiah, in a page that has not seen that another device gave Rp500.000 back. */
async function refundAfterAnother(stage: Stage, amount: string): Promise<void> {
  const refund = await openRefund(stage);
  const { pathname } = new URL(stage.page.url());
  await stage.shop.refundElsewhere(await stage.shop.readOrder(pathname.split('/').at(-1) ?? ''), part);
  await refund.amount.fill(amount);
  await refund.press.click();
}

/** Every state of a payment, a refund or a message that a person can see. */
export const states: State[] = [
  {
    name: 'idle',
    reach: async ({ shop, checkout }) => checkout.open(await shop.order()),
    says: ({ idle }) => [idle],
  },
  {
    name: 'sending',
    async reach({ page, shop, checkout }) {
      await checkout.open(await shop.order());
      const hold = await holdRequest(page, paymentsUrl);
      await checkout.pay.click();
      await hold.held;
    },
    says: ({ idle, sending }) => [idle, sending],
  },
  {
    name: 'slow',
    async reach({ page, shop, checkout }) {
      await page.clock.install();
      await checkout.open(await shop.order());
      const hold = await holdRequest(page, paymentsUrl);
      await checkout.pay.click();
      await hold.held;
      await page.clock.fastForward(10_000);
      await expect(page.getByRole('link', { name: /order page|halaman pesanan/ })).toBeVisible();
    },
    says: ({ idle, slow }) => [idle, slow],
  },
  {
    name: 'checking after a reload',
    async reach({ page, shop, checkout }) {
      const order = await shop.order();
      await checkout.storeIntent(order, { key: randomUUID() }, 'next document');
      const asking = await holdRequest(page, orderUrl, { after: 1 });
      await checkout.open(order);
      await asking.held;
    },
    says: ({ idle, checking }) => [idle, checking],
  },
  {
    name: 'unknown',
    async reach({ page, shop, checkout }) {
      await checkout.hurry();
      await checkout.open(await shop.order());
      await loseReply(page, paymentsUrl);
      const asking = await holdRequest(page, orderUrl);
      await checkout.pay.click();
      await asking.held;
    },
    says: ({ unknown }) => [unknown],
  },
  {
    name: 'safe retry',
    async reach({ page, shop, checkout }) {
      await checkout.hurry();
      await checkout.open(await shop.order());
      await loseRequest(page, paymentsUrl);
      await checkout.pay.click();
      await expect(checkout.retrySafely).toBeVisible();
    },
    says: ({ retrySafely, retrySafelyWhy }) => [retrySafely, retrySafelyWhy],
  },
  {
    name: 'paid',
    async reach({ shop, checkout }) {
      await checkout.open(await shop.order());
      await checkout.pay.click();
      await expect(checkout.receipt).toBeVisible();
    },
    says: ({ paid, amount, receipt }) => [paid, amount, receipt],
  },
  {
    name: 'replay',
    async reach({ page, shop, checkout }) {
      await checkout.open(await shop.order());
      await loseReply(page, paymentsUrl, { times: 1 });
      await checkout.pay.click();
      await expect(checkout.receipt).toBeVisible();
    },
    says: ({ replay }) => [replay],
  },
  {
    name: 'paid in another tab',
    async reach({ page, shop, checkout }) {
      const order = await shop.order();
      await checkout.open(order);
      const other = new Checkout(await page.context().newPage());
      await other.open(order);
      await other.pay.click();
      await expect(checkout.receipt).toBeVisible();
    },
    says: ({ otherTab }) => [otherTab],
  },
  {
    name: 'already paid',
    async reach({ page, shop, checkout }) {
      const order = await shop.order();
      await shop.payElsewhere(order);
      await page.goto(`/checkout/${order.id}`);
      await expect(checkout.seeReceipt).toBeVisible();
    },
    says: ({ alreadyPaid }) => [alreadyPaid],
  },
  {
    name: 'offline',
    async reach({ page, shop, checkout }) {
      await checkout.open(await shop.order());
      await goOffline(page);
      await checkout.pay.click();
    },
    says: ({ idle, offline }) => [idle, offline],
  },
  {
    name: 'not enough balance',
    async reach({ shop, checkout }) {
      await shop.setBalance(0);
      await checkout.open(await shop.order());
      await checkout.pay.click();
    },
    says: ({ idle, balanceInsufficient }) => [idle, balanceInsufficient],
  },
  {
    name: 'balance made enough',
    async reach({ page, shop, checkout }) {
      await shop.setBalance(0);
      await checkout.open(await shop.order());
      await checkout.pay.click();
      await page.getByRole('button', { name: /^(Set balance to|Jadikan saldo) Rp/ }).click();
      await expect(checkout.notice(/^(Your balance is enough|Saldo Anda sekarang cukup)/)).toBeVisible();
    },
    says: ({ idle, toppedUp }) => [idle, toppedUp],
  },
  {
    name: 'sold out',
    async reach({ shop, checkout }) {
      const slower = await shop.order(concerts.nightTrain, 2);
      await checkout.open(slower);
      await shop.payElsewhere(await shop.order(concerts.nightTrain, 1));
      await checkout.pay.click();
    },
    says: ({ soldOut }) => [soldOut],
  },
  {
    name: 'another amount',
    async reach({ shop, checkout }) {
      const order = await shop.order();
      await checkout.open(order);
      await shop.ledger.reprice(shop.sandboxId, order.id, 160_000_000);
      await checkout.pay.click();
    },
    says: ({ otherAmount }) => [otherAmount],
  },
  {
    name: 'with broken storage',
    async reach({ page, shop, checkout }) {
      await breakStorage(page, 'throws');
      await checkout.open(await shop.order());
    },
    says: ({ idle }) => [idle],
  },
  {
    name: 'a card chosen',
    reach: async ({ shop, checkout }) => checkout.openWithCard(await shop.order(), 'card_visa_approved'),
    says: ({ idle }) => [idle],
  },
  {
    name: 'declined',
    async reach({ shop, checkout }) {
      await checkout.openWithCard(await shop.order(), 'card_declined');
      await checkout.pay.click();
      await expect(checkout.pay).toHaveAttribute('aria-disabled', 'false');
    },
    says: ({ idle, declined }) => [idle, declined],
  },
  {
    name: 'declined, on the order page',
    async reach({ page, shop, checkout }) {
      const order = await shop.order();
      await checkout.openWithCard(order, 'card_declined');
      await checkout.pay.click();
      await expect.poll(() => checkout.storedIntent(order)).toBeNull();
      await page.goto(`/orders/${order.id}`);
    },
    says: ({ declined }) => [declined],
  },
  {
    name: 'processing',
    async reach({ page, shop, checkout }) {
      await checkout.openWithCard(await shop.order(), 'card_reply_lost');
      const asking = await holdRequest(page, orderUrl);
      await checkout.pay.click();
      await asking.held;
    },
    says: ({ idle, processing }) => [idle, processing],
  },
  {
    name: 'needs a person',
    async reach({ page, shop, checkout }) {
      await checkout.openWithCard(await shop.order(), 'card_wrong_currency');
      await checkout.pay.click();
      await page.waitForURL('**/orders/*');
    },
    says: ({ needsPerson }) => [needsPerson],
  },
  {
    name: 'paid by card',
    async reach({ shop, checkout }) {
      await checkout.openWithCard(await shop.order(), 'card_visa_approved');
      await checkout.pay.click();
      await expect(checkout.receipt).toBeVisible();
    },
    says: ({ paid, paidByCard }) => [paid, paidByCard],
  },
  {
    name: 'the form for a refund',
    reach: async (stage) => void (await openRefund(stage)),
    says: ({ refundOnce }) => [refundOnce],
  },
  {
    name: 'refunded partly',
    async reach(stage) {
      const refund = await openRefund(stage);
      await refund.amount.fill('500000');
      await refund.press.click();
      await expect(refund.press).toHaveCount(0);
    },
    says: ({ refundedPartly }) => [refundedPartly],
  },
  {
    name: 'refunded in full',
    async reach(stage) {
      const refund = await openRefund(stage);
      await refund.press.click();
      await expect(refund.press).toHaveCount(0);
    },
    says: ({ refundDone, refundedInFull }) => [refundDone, refundedInFull],
  },
  {
    name: 'refund processed',
    async reach(stage) {
      const refund = await openRefund(stage);
      const asking = await holdRequest(stage.page, orderUrl);
      await stage.page.route(refundsUrl, (route) => route.fulfill({ status: 202, json: {} }));
      await refund.press.click();
      await asking.held;
    },
    says: ({ refundProcessing }) => [refundProcessing],
  },
  {
    name: 'refund unknown',
    async reach(stage) {
      const refund = await openRefund(stage);
      await loseReply(stage.page, refundsUrl);
      const asking = await holdRequest(stage.page, orderUrl);
      await refund.press.click();
      await asking.held;
    },
    says: ({ refundUnknown }) => [refundUnknown],
  },
  {
    name: 'refund of more than is left',
    reach: (stage) => refundAfterAnother(stage, '1500000'),
    says: ({ refundExceeds }) => [refundExceeds],
  },
  {
    name: 'refund after another that was not seen',
    reach: (stage) => refundAfterAnother(stage, '500000'),
    says: ({ refundConflict }) => [refundConflict],
  },
  {
    name: 'refund that needs a person',
    async reach({ page, shop }) {
      const order = await shop.order();
      await shop.payElsewhere(order);
      const { id } = await shop.refundElsewhere(order, part);
      await shop.ledger.doubtRefund(id);
      await page.goto(`/orders/${order.id}`);
    },
    says: ({ refundNeedsPerson }) => [refundNeedsPerson],
  },
  {
    name: 'a message with faults',
    async reach({ page }) {
      const contact = new ContactPage(page);
      await contact.write({ name: '', email: 'ayu', text: '' });
      await contact.send.click();
    },
    says: ({ messageInvalid }) => [...messageInvalid],
  },
  {
    name: 'message unknown',
    async reach({ page }) {
      const contact = new ContactPage(page);
      await contact.hurry();
      await contact.write(letter);
      await loseReply(page, messagesUrl);
      await contact.send.click();
      await expect(contact.retrySafely).toBeVisible();
    },
    says: ({ messageUnknown, messageUnknownHint, retrySafely }) => [
      messageUnknown,
      messageUnknownHint,
      retrySafely,
    ],
  },
  {
    name: 'message sent by another tab',
    async reach({ page }) {
      const contact = new ContactPage(page);
      await contact.hurry();
      await contact.write(letter);
      const lost = await loseReply(page, messagesUrl);
      await contact.send.click();
      await expect(contact.retrySafely).toBeVisible();
      await lost.stop();
      const other = new ContactPage(await page.context().newPage());
      await other.page.goto('/contact');
      await other.retrySafely.click();
      await expect(other.text).toBeHidden();
      await other.page.close();
    },
    says: ({ messageEndedElsewhere }) => [messageEndedElsewhere],
  },
  {
    name: 'message sent',
    async reach({ page }) {
      const contact = new ContactPage(page);
      await contact.write(letter);
      await contact.send.click();
    },
    says: ({ messageSent }) => [messageSent],
  },
];
