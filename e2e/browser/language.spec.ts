import { expect, test } from './shop-test.js';
import { words } from './words.js';

test.use({ locale: 'id-ID' });

test('A browser that prefers Indonesian is served Indonesian, and a choice of English is kept', async ({
  page,
  shop,
  checkout,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await expect(checkout.pay).toHaveText(words.id.idle);
  await page.getByRole('button', { name: 'English' }).click();
  await expect(checkout.pay).toHaveText(words.en.idle);
  await page.reload();
  await expect(checkout.pay).toHaveText(words.en.idle);
});

test('An amount is written in the way of the language on the receipt, too', async ({
  page,
  shop,
  checkout,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await checkout.pay.click();
  await checkout.expectReceipt(words.id.paid);
  await expect(page.getByRole('region', { name: words.id.receipt })).toContainText(words.id.amount);
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('region', { name: words.en.receipt })).toContainText(words.en.amount);
  await shop.expectChargedOnce(order);
});
