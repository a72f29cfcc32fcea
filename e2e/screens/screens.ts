import { expect, type Page } from '@playwright/test';
import { concerts } from '../browser/shop.js';
import { type State, states } from '../browser/states.js';

type Screen = Pick<State, 'name' | 'reach'>;

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

/** Every page and every state of it that a person can see. */
export const screens: Screen[] = [
  { name: 'catalogue', reach: at('/') },
  {
    name: 'catalogue loading',
    async reach({ page }) {
      await page.route('**/api/concerts', () => undefined);
      await page.goto('/');
      await heading(page);
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
      await page.goto('/orders');
      await heading(page);
    },
  },
  { name: 'contact', reach: at('/contact') },
  {
    name: 'no such page',
    reach: at('/nowhere'),
  },
  {
    name: 'problem page',
    reach: at('/problems/card_declined'),
  },
  ...states,
];
