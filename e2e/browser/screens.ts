import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { goOffline } from './payment-gestures/index.js';
import { concerts, orderUrl } from './shop.js';
import type { State } from './states.js';

export type Screen = Pick<State, 'name' | 'reach'>;

const heading = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible();

function at(path: string): State['reach'] {
  return async ({ page }) => {
    await page.goto(path);
    await heading(page);
  };
}

async function fillCart(page: Page): Promise<void> {
  await page.goto('/');
  await heading(page);
  await page.request.put(`/api/cart/items/${concerts.nightTrain}`, { data: { quantity: 2 } });
}

/** A page whose answer never comes. */
function waitingAt(path: string, url: string): State['reach'] {
  return async ({ page }) => {
    await page.route(url, () => undefined);
    await page.goto(path);
    await expect(page.getByText(/^(Loading…|Memuat…)$/).last()).toBeAttached();
    await heading(page);
  };
}

/** Every page, also while it loads, is empty or fails. What becomes of a payment, a refund or a message are the states. */
export const screens: Screen[] = [
  { name: 'catalogue', reach: at('/') },
  {
    name: 'catalogue with a choice made',
    async reach({ page, shop }) {
      await shop.payElsewhere(await shop.order(concerts.nightTrain, 2));
      await page.request.put(`/api/cart/items/${concerts.monsoonStrings}`, { data: { quantity: 2 } });
      await page.request.put(`/api/concerts/${concerts.monsoonStrings}/like`);
      await page.goto('/');
      await expect(page.getByText(/^(Sold out|Habis terjual)$/)).toBeVisible();
    },
  },
  { name: 'catalogue loading', reach: waitingAt('/', '**/api/concerts') },
  {
    name: 'catalogue without concerts',
    async reach({ page }) {
      await page.route('**/api/concerts', (route) => route.fulfill({ json: { concerts: [] } }));
      await page.goto('/');
      await expect(page.getByRole('region').first()).toBeVisible();
    },
  },
  {
    name: 'shop loading',
    async reach({ page }) {
      await page.route('**/api/sandbox', () => undefined);
      await page.goto('/');
      await expect(page.getByText(/^(Loading…|Memuat…)$/)).toBeAttached();
    },
  },
  {
    name: 'shop failing',
    async reach({ page }) {
      await page.route('**/api/sandbox', (route) => route.fulfill({ status: 503 }));
      await page.goto('/');
      await expect(page.getByRole('region').first()).toBeVisible();
    },
  },
  {
    name: 'shop offline',
    async reach({ page }) {
      await page.goto('/');
      await heading(page);
      // The page for messages is part of the shop that is not there yet.
      await page.route('**/assets/contact*', (route) => route.abort());
      await goOffline(page);
      await page.getByRole('link', { name: /^(Contact|Kontak)$/ }).click();
      await expect(page.getByRole('region').first()).toBeVisible();
    },
  },
  {
    name: 'cart offline',
    async reach({ page }) {
      await fillCart(page);
      await page.goto('/cart');
      await heading(page);
      await goOffline(page);
    },
  },
  {
    name: 'balance menu',
    async reach({ page }) {
      await page.goto('/');
      await heading(page);
      await page.getByRole('button', { name: /^(Balance|Saldo) / }).click();
      await expect(page.getByRole('textbox')).toBeVisible();
    },
  },
  {
    name: 'catalogue failing',
    async reach({ page }) {
      await page.route('**/api/concerts', (route) => route.fulfill({ status: 503 }));
      await page.goto('/');
      await expect(page.getByRole('region').first()).toBeVisible();
    },
  },
  { name: 'cart empty', reach: at('/cart') },
  { name: 'cart loading', reach: waitingAt('/cart', '**/api/cart') },
  { name: 'orders empty', reach: at('/orders') },
  { name: 'orders loading', reach: waitingAt('/orders', '**/api/orders') },
  {
    name: 'order loading',
    async reach({ page, shop }) {
      const order = await shop.order();
      await page.route(orderUrl, () => undefined);
      await page.goto(`/orders/${order.id}`);
      await heading(page);
    },
  },
  {
    name: 'checkout loading',
    async reach({ page, shop }) {
      const order = await shop.order();
      await page.route(orderUrl, () => undefined);
      await page.goto(`/checkout/${order.id}`);
      await heading(page);
    },
  },
  {
    name: 'order of another',
    async reach({ page }) {
      await page.goto(`/orders/${randomUUID()}`);
      await expect(page.getByRole('region').first()).toBeVisible();
    },
  },
  {
    name: 'cart full',
    async reach({ page }) {
      await page.goto('/');
      await heading(page);
      for (const concertId of (await listConcerts(page)).slice(0, 4)) {
        await page.request.put(`/api/cart/items/${concertId}`, { data: { quantity: 2 } });
      }
      await page.goto('/cart');
      await heading(page);
    },
  },
  {
    name: 'cart',
    async reach({ page }) {
      await fillCart(page);
      await page.goto('/cart');
      await heading(page);
    },
  },
  {
    name: 'orders',
    async reach({ page, shop }) {
      await shop.order();
      await shop.payElsewhere(await shop.order());
      await shop.payElsewhereByCard(await shop.order(concerts.nightTrain, 1), 'card_wrong_amount');
      const refunded = await shop.order();
      await shop.payElsewhere(refunded);
      await shop.refundElsewhere(refunded, refunded.amountMinor);
      await page.goto('/orders');
      await heading(page);
    },
  },
  {
    name: 'what really happened',
    async reach({ page, shop }) {
      const order = await shop.order();
      await shop.setBalance(0);
      await shop.declineElsewhere(order);
      await shop.payElsewhereByCard(order, 'card_visa_approved');
      await shop.refundElsewhere(order, order.amountMinor / 2);
      await page.goto(`/orders/${order.id}/timeline`);
      await heading(page);
      await expect(page.getByRole('listitem').first()).toBeVisible();
    },
  },
  { name: 'contact', reach: at('/contact') },
  {
    name: 'no such page',
    reach: at('/nowhere'),
  },
  {
    name: 'paid after declines',
    async reach({ shop, checkout }) {
      await checkout.openWithCard(await shop.order(), 'card_declined');
      await checkout.pay.click();
      await expect(checkout.pay).toHaveAttribute('aria-disabled', 'false');
      await checkout.chooseCard('card_visa_approved');
      await checkout.pay.click();
      await expect(checkout.receipt).toBeVisible();
    },
  },
  {
    name: 'another payment is running',
    async reach({ page, shop }) {
      const order = await shop.order();
      await page.route(orderUrl, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), status: 'paying' } });
      });
      await page.goto(`/checkout/${order.id}`);
      await expect(page.getByRole('region').first()).toBeVisible();
    },
  },
];

/** What the server writes for a browser without JavaScript. */
export const withoutScript: Screen[] = [
  { name: 'plain catalogue', reach: async ({ page }) => void (await page.goto('/')) },
  { name: 'plain checkout', reach: async ({ shop, checkout }) => checkout.open(await shop.order()) },
  {
    name: 'plain paid',
    async reach({ page, shop, checkout }) {
      await checkout.open(await shop.order());
      await checkout.pay.click();
      await page.waitForURL('**/orders/*');
    },
  },
  {
    name: 'plain refunded',
    async reach({ page, shop }) {
      const order = await shop.order();
      await shop.payElsewhereByCard(order, 'card_visa_approved');
      await shop.refundElsewhere(order, order.amountMinor / 2);
      await page.goto(`/orders/${order.id}`);
    },
  },
  {
    name: 'plain needs a person',
    async reach({ page, shop }) {
      const order = await shop.order();
      await shop.payElsewhereByCard(order, 'card_wrong_amount');
      await page.goto(`/orders/${order.id}`);
    },
  },
  ...(
    ['balance_insufficient', 'sold_out', 'amount_mismatch', 'request_in_progress', 'unavailable'] as const
  ).map((problem) => ({
    name: `plain ${problem}`,
    reach: async ({ page, shop }: Parameters<State['reach']>[0]) => {
      const order = await shop.order();
      if (problem === 'balance_insufficient') {
        await shop.setBalance(0);
        await shop.declineElsewhere(order);
      }
      const isWaiting = problem === 'request_in_progress' || problem === 'unavailable';
      await page.goto(`/${isWaiting ? 'orders' : 'checkout'}/${order.id}?problem=${problem}`);
    },
  })),
  {
    name: 'plain unpaid',
    reach: async ({ page, shop }) => void (await page.goto(`/orders/${(await shop.order()).id}`)),
  },
  {
    name: 'plain not found',
    reach: async ({ page }) => void (await page.goto(`/orders/${randomUUID()}`)),
  },
  {
    name: 'plain session over',
    async reach({ page }) {
      await page.context().clearCookies();
      await page.goto(`/checkout/${randomUUID()}?problem=unauthenticated`);
    },
  },
  ...['card_declined', 'idempotency_key_missing', 'unavailable', 'none-of-these'].map((code) => ({
    name: `problem ${code}`,
    reach: at(`/problems/${code}`),
  })),
];

async function listConcerts(page: Page): Promise<string[]> {
  const { concerts: list }: { concerts: { id: string }[] } = await (
    await page.request.get('/api/concerts')
  ).json();
  return list.map(({ id }) => id);
}
