import type { Page } from '@playwright/test';
import { openDevelopmentServer } from './development-server.js';
import { doubleSubmit } from './payment-gestures/index.js';
import { expect, test as shopTest } from './shop-test.js';

const test = shopTest.extend<object, { developmentUrl: string }>({
  developmentUrl: [
    async ({ browserName: _ }, use, { project, workerIndex }) => {
      const folder = `${project.outputDir}/development-${workerIndex}`;
      const server = await openDevelopmentServer(process.env['BASE_URL'] ?? '', folder);
      await use(server.url);
      await server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ developmentUrl }, use) => use(developmentUrl),
});

test('In the development build, where effects run twice, a checkout sends nothing until a double click charges once', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await page.addInitScript(countUndoneEffects);
  await checkout.open(order);
  expect(await undoneEffects(page)).toBeGreaterThan(0);
  await page.reload();
  await expect(checkout.pay).toBeVisible();
  expect(await undoneEffects(page)).toBeGreaterThan(0);
  expect(payments.count).toBe(0);
  expect(await checkout.storedIntent(order)).toBeNull();
  await shop.expectNothingCharged(order);

  await doubleSubmit.doubleClick(checkout.pay);
  await checkout.expectReceipt();
  expect(await payments.statuses()).toEqual([201]);
  await shop.expectChargedOnce(order);
});

/** Strict mode undoes each effect of a new page and runs it again: a listener is taken away though the page stays. */
function countUndoneEffects(): void {
  const remove = window.removeEventListener;
  window.removeEventListener = (...args: Parameters<typeof remove>) => {
    const [type] = args;
    if (type === 'pageshow') performance.mark('an effect is undone');
    remove.apply(window, args);
  };
}

function undoneEffects(page: Page): Promise<number> {
  return page.evaluate(() => performance.getEntriesByName('an effect is undone').length);
}
