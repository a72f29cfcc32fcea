import { test as base, expect, type Page } from '@playwright/test';
import { CardNetwork } from './card-network.js';
import { Checkout } from './checkout.js';
import { Ledger } from './ledger.js';
import { PaymentRequests } from './payment-requests.js';
import { Shop } from './shop.js';

export interface ShopOptions {
  /** How many times slower than this machine the pages are worked at. */
  slowdown: number;
}

interface TestFixtures {
  /** A sandbox that only this test knows. */
  shop: Shop;
  /** The checkout in the test's first tab. */
  checkout: Checkout;
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
  payments: async ({ context }, use) => {
    await use(new PaymentRequests(context));
  },
  quiet: [
    async ({ context, baseURL }, use) => {
      const complaints: string[] = [];
      const home = new URL(baseURL ?? '').origin;
      context.on('console', (message) => {
        // What a test makes fail on the way is reported by the browser itself, and is not a fault of the page.
        if (message.type() !== 'error' && message.type() !== 'warning') return;
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
