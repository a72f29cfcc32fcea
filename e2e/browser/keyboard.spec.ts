import type { Page } from '@playwright/test';
import { expect, test } from './shop-test.js';

test('Everything from the concerts to the receipt can be done with the keyboard alone', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  await page.goto('/');
  await tabTo(page, 'One more seat for Monsoon Strings');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Go to the cart' })).toBeVisible();
  await tabTo(page, 'Go to the cart');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Check out' })).toBeVisible();
  await tabTo(page, 'Check out');
  await page.keyboard.press('Enter');
  await expect(checkout.pay).toBeVisible();
  const order = await shop.readOrder(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  await tabTo(page, 'Pay Rp1,500,000');
  await page.keyboard.press('Enter');
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});

test('In forced colours Pay has an edge, and the focus on it can be seen', async ({
  page,
  shop,
  checkout,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await checkout.open(await shop.order());
  await tabTo(page, 'Pay Rp1,500,000');
  const lines = await checkout.pay.evaluate((button) => {
    const { borderTopStyle, borderTopWidth, outlineStyle, outlineWidth } = getComputedStyle(button);
    return { edge: `${borderTopStyle} ${borderTopWidth}`, focus: `${outlineStyle} ${outlineWidth}` };
  });
  for (const [name, style] of Object.entries(lines)) expect(style, name).not.toMatch(/none|hidden| 0px/);
});

/** Presses Tab until the thing with this name has the focus, as often as a person would. */
async function tabTo(page: Page, name: string): Promise<void> {
  const control = page.getByRole('button', { name }).or(page.getByRole('link', { name }));
  await expect(control).toBeVisible();
  const target = page.locator(':focus').and(control);
  for (let press = 0; press < 40; press += 1) {
    if ((await target.count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to "${name}".`);
}
