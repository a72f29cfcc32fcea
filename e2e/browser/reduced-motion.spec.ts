import type { Page } from '@playwright/test';
import type { Checkout } from './checkout.js';
import { holdReply } from './payment-gestures/index.js';
import { orderUrl, paymentsUrl, type Shop } from './shop.js';
import { expect, test } from './shop-test.js';

test('With reduced motion nothing moves, from the concerts to the receipt', async ({
  page,
  shop,
  checkout,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await buyAndWatch(page, shop, checkout)).toEqual({
    'the concerts, loading': [],
    'the concerts': [],
    'the checkout, loading': [],
    'the checkout': [],
    'the press': [],
    'the receipt': [],
  });
});

test('Without reduced motion what is loading breathes, and a press that is under way can be seen to be', async ({
  page,
  shop,
  checkout,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await buyAndWatch(page, shop, checkout)).toMatchObject({
    'the concerts, loading': ['breathe'],
    'the checkout, loading': ['breathe'],
    'the press': ['pass'],
  });
});

/** Buys a ticket, and returns the names of what moved on each screen since the one before. */
async function buyAndWatch(page: Page, shop: Shop, checkout: Checkout): Promise<Record<string, string[]>> {
  const moved: Record<string, string[]> = {};
  const note = async (screen: string) => {
    moved[screen] = await page.evaluate(takeMoves);
  };
  await page.addInitScript(markMoves);

  const concerts = await holdReply(page, '**/api/concerts');
  await page.goto('/');
  await concerts.held;
  await note('the concerts, loading');
  concerts.release();
  await expect(page.getByRole('button', { name: 'One more seat for Monsoon Strings' })).toBeVisible();
  await note('the concerts');

  const order = await shop.order();
  const orders = await holdReply(page, orderUrl);
  await page.goto(`/checkout/${order.id}`);
  await orders.held;
  await note('the checkout, loading');
  orders.release();
  await expect(checkout.pay).toBeVisible();
  await note('the checkout');

  const payments = await holdReply(page, paymentsUrl);
  await checkout.pay.click();
  await payments.held;
  await note('the press');
  payments.release();
  await checkout.expectReceipt();
  await note('the receipt');
  return moved;
}

/** Marks what begins to move, also when it has stopped before anybody looks. */
function markMoves(): void {
  const mark = ({ animationName, propertyName }: Partial<AnimationEvent & TransitionEvent>) =>
    performance.mark('moves', { detail: animationName ?? propertyName });
  window.addEventListener('animationstart', mark, true);
  window.addEventListener('transitionrun', mark, true);
}

/** The names of what moves now, or was marked since the last time. */
function takeMoves(): string[] {
  const marks = performance.getEntriesByName('moves') as PerformanceMark[];
  performance.clearMarks('moves');
  const running = document.getAnimations() as Partial<CSSAnimation & CSSTransition>[];
  return [
    ...new Set([
      ...marks.map(({ detail }) => String(detail)),
      ...running.map(({ animationName, transitionProperty }) => animationName ?? String(transitionProperty)),
    ]),
  ];
}
