import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { Checkout } from './checkout.js';
import { breakStorage, goOffline, holdRequest, loseReply, loseRequest } from './payment-gestures/index.js';
import { concerts, orderUrl, paymentsUrl, type Shop } from './shop.js';
import type { words } from './words.js';

type Words = (typeof words)['en' | 'id'];

export interface State {
  name: string;
  /** Brings the page there, and leaves it there. */
  reach(stage: { page: Page; shop: Shop; checkout: Checkout }): Promise<void>;
  /** The promised words, each of which stands on the page as it is. */
  says(words: Words): string[];
}

/** Every state of a payment that a person can see. */
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
];
