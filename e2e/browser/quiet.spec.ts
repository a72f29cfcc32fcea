import { expect, test } from './shop-test.js';

test('A visit from the concerts to the receipt leaves the console empty and stays on one origin', async ({
  page,
  shop,
  checkout,
}) => {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  expect(await shop.readCharges()).toBe(0);
  await page.goto('/');
  await page.getByRole('button', { name: 'One more seat for Monsoon Strings' }).click();
  await page.getByRole('link', { name: 'Go to the cart' }).click();
  await page.getByRole('button', { name: 'Check out' }).click();
  await checkout.pay.click();
  await checkout.expectReceipt();
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect(page.getByText('Monsoon Strings')).toBeVisible();
  expect(messages).toEqual([]);
  expect(await shop.readCharges()).toBe(1);
});

test('Scripts and styles that are not of the shop are refused by its policy', async ({ page }) => {
  const response = await page.goto('/');
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|https?:/);
});
