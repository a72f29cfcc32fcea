import { expect, test } from '@playwright/test';
import { countCharges, restoreFromBfcache } from './index.js';
import { openSmallShop } from './two-shops.js';

test('A press before and one after the back/forward cache charge twice in a careless shop', async ({
  page,
  context,
}) => {
  const shop = await openSmallShop('careless');
  await page.goto(shop.url);
  const pay = page.getByRole('button', { name: 'Pay' });
  const made = await countCharges({
    ...shop,
    context,
    during: async () => {
      await pay.click();
      await expect(page.getByRole('status')).toHaveText('Paid');
      await restoreFromBfcache(page, `${shop.url}/elsewhere`);
      await pay.click();
      await expect(page.getByRole('status')).toHaveText('Paid');
    },
  });
  expect(made.charges).toBe(2);
  await shop.close();
});
