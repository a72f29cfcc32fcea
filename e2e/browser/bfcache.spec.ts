import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from '@playwright/test';
import { restoreFromBfcache } from './payment-gestures/index.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('A checkout that comes out of the back/forward cache after the order was paid never shows Pay again', async ({
  browser,
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const how = await restoreFromBfcache(page, '/problems/card_declined', () => shop.payElsewhere(order));
  expect(how).toBe(await whatBackDoes(browser));
  await expect(checkout.notice(words.en.otherTab).or(checkout.notice(words.en.alreadyPaid))).toBeVisible();
  await expect(checkout.pay).toHaveCount(0);
  expect(payments.count).toBe(0);
  await shop.expectChargedOnce(order);
});

test('A receipt that comes out of the back/forward cache is still the receipt and sends nothing', async ({
  browser,
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await checkout.pay.click();
  await checkout.expectReceipt();
  const how = await restoreFromBfcache(page, '/problems/card_declined');
  expect(how).toBe(await whatBackDoes(browser));
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});

/** Small Chromium builds have no such cache. Then the tests above go back as well, to a page that is loaded again. */
async function whatBackDoes(browser: Browser): Promise<'restored' | 'loaded'> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('A page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await browser.newPage();
  await page.goto(url);
  const how = await restoreFromBfcache(page, `${url}/elsewhere`);
  await page.context().close();
  server.close();
  server.closeAllConnections();
  if (how === 'loaded') {
    test.info().annotations.push({ type: 'weaker', description: 'This browser has no back/forward cache.' });
  }
  return how;
}
