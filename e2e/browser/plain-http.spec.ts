import { expect, test } from './shop-test.js';

const uuidVersion4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('On plain http under a host name, where half of the browser’s crypto is missing, paying works and charges once', async ({
  page,
  checkout,
  payments,
}) => {
  await page.goto('/');
  expect(await page.evaluate(() => [isSecureContext, typeof crypto.randomUUID])).toEqual([
    false,
    'undefined',
  ]);
  await page.getByRole('button', { name: 'One more seat for Monsoon Strings' }).click();
  await page.getByRole('link', { name: 'Go to the cart' }).click();
  await page.getByRole('button', { name: 'Check out' }).click();
  await checkout.pay.dblclick();
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  expect(payments.keys[0]).toMatch(uuidVersion4);
  const summary = await page.evaluate(async () => (await fetch('/api/summary')).json());
  expect(summary).toMatchObject({ charges: { count: 1, amountMinor: 150_000_000 } });
});
