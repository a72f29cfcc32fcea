import type { Locator, Page } from '@playwright/test';
import { ContactPage } from './contact-page.js';
import { goOffline } from './payment-gestures/index.js';
import { RefundPage } from './refund-page.js';
import { concerts } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

/** The focus is somewhere in the page's content: Tab goes on from there, and not from the top. */
async function expectFocusKept(page: Page, gone: Locator): Promise<void> {
  await expect(gone).toHaveCount(0);
  await expect(page.locator('main :focus')).toHaveCount(1);
}

test('Taking a concert out of the cart by keyboard keeps the focus in the cart', async ({ page, shop }) => {
  await shop.putInCart(concerts.monsoonStrings, 2);
  await shop.putInCart(concerts.nightTrain, 1);
  await page.goto('/cart');
  const remove = page.getByRole('button', { name: 'Remove Monsoon Strings' });
  await remove.press('Enter');
  await expectFocusKept(page, remove);
  const fewer = page.getByRole('button', { name: /^One seat fewer/ });
  await fewer.press('Enter');
  await expectFocusKept(page, fewer);
});

test('When the notice of an offline press goes away the focus stays at the form', async ({
  page,
  shop,
  checkout,
}) => {
  await checkout.open(await shop.order());
  const comeBack = await goOffline(page);
  await checkout.pay.press('Enter');
  const notice = checkout.notice(words.en.offline);
  await expect(notice).toBeFocused();
  await comeBack();
  await expectFocusKept(page, notice);
});

test('When the notice of an offline refund goes away the focus stays at the form', async ({ page, shop }) => {
  const order = await shop.order();
  await shop.payElsewhere(order);
  const refund = new RefundPage(page);
  await refund.open(order);
  const comeBack = await goOffline(page);
  await refund.press.press('Enter');
  const notice = refund.notice(words.en.offline.replace('charged', 'given back'));
  await expect(notice).toBeFocused();
  await comeBack();
  await expectFocusKept(page, notice);
});

test('“Write another message” goes on in the content', async ({ page, shop }) => {
  const contact = new ContactPage(page);
  await contact.write();
  await contact.send.press('Enter');
  await expect(contact.notice(words.en.messageSent)).toBeFocused();
  await contact.another.press('Enter');
  await expectFocusKept(page, contact.another);
  await expect(contact.name).toBeVisible();
  expect(await shop.ledger.messages(shop.sandboxId)).toHaveLength(1);
});
