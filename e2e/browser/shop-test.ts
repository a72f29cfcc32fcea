import type { Order } from '@pay-once/contracts';
import { test as base, expect, type Page } from '@playwright/test';
import { CardNetwork } from './card-network.js';
import { Checkout, type Method } from './checkout.js';
import { Ledger } from './ledger.js';
import { PaymentRequests } from './payment-requests.js';
import { Shop } from './shop.js';

export interface ShopOptions {
  /** How many times slower than this machine the pages are worked at. */
  slowdown: number;
  /** The page is made to fail, so what it writes to the console is no fault. */
  mayComplain: boolean;
}

interface TestFixtures {
  /** A sandbox that only this test knows. */
  shop: Shop;
  /** The checkout in the test's first tab. */
  checkout: Checkout;
  /** The order is charged once; by card also authorised once. `declinesBefore`: the refused payments before that. */
  expectTakenOnce: (order: Order, method: Method, options?: { declinesBefore: number }) => Promise<void>;
  /** What the browser sent to pay. */
  payments: PaymentRequests;
  /** Fails the test when the browser complains about the page, or the page talks to strangers. */
  quiet: undefined;
}

interface WorkerFixtures {
  ledger: Ledger;
  cardNetwork: CardNetwork;
}

export const test = base.extend<ShopOptions & TestFixtures, WorkerFixtures>({
  slowdown: [1, { option: true }],
  mayComplain: [false, { option: true }],
  page: async ({ page, slowdown }, use) => {
    if (slowdown > 1) await slowDown(page, slowdown);
    await use(page);
  },
  ledger: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const ledger = Ledger.open();
      await use(ledger);
      await ledger.close();
    },
    { scope: 'worker' },
  ],
  cardNetwork: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => use(new CardNetwork()),
    { scope: 'worker' },
  ],
  shop: async ({ context, ledger }, use) => {
    await use(await Shop.open(context.request, ledger));
  },
  checkout: async ({ page, hasTouch }, use) => {
    await use(new Checkout(page, hasTouch ? 'finger' : 'mouse'));
  },
  expectTakenOnce: async ({ shop, cardNetwork }, use) =>
    use(async (order, method, options) => {
      await shop.expectChargedOnce(order, options);
      if (method === 'card') await cardNetwork.expectAuthorisedOnce(shop, order, options);
    }),
  payments: async ({ context }, use) => {
    await use(new PaymentRequests(context));
  },
  quiet: [
    async ({ context, baseURL, mayComplain }, use) => {
      const complaints: string[] = [];
      const home = new URL(baseURL ?? '').origin;
      context.on('console', (message) => {
        // What a test makes fail on the way is reported by the browser itself, and is not a fault of the page.
        if (mayComplain || (message.type() !== 'error' && message.type() !== 'warning')) return;
        if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      context.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol !== 'data:' && origin !== home) complaints.push(`A request to ${origin}`);
      });
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

async function slowDown(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
}

export { expect };
