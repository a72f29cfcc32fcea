import { holdReply } from './payment-gestures/index.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('Slow says so after 3 s, offers the order page after 10 s, and no timer wakes the button', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await page.clock.install();
  await checkout.open(order);
  const hold = await holdReply(page, paymentsUrl);
  await checkout.pay.click();
  await hold.held;
  await page.clock.pauseAt(new Date(Date.now() + 1_000));
  const status = page.getByText(words.en.sending).or(page.getByText(words.en.slow));
  await expect(status).toHaveText(words.en.sending);
  const orderPage = page.getByRole('link', { name: 'Follow it on the order page' });

  await page.clock.runFor(3_000);
  await expect(status).toHaveText(words.en.slow);
  await expect(orderPage).toHaveCount(0);
  await expect(checkout.pay).toHaveAttribute('aria-disabled', 'true');

  await page.clock.runFor(7_000);
  await expect(orderPage).toBeVisible();
  await expect(checkout.pay).toHaveAttribute('aria-disabled', 'true');

  await page.clock.resume();
  await orderPage.click();
  await expect(checkout.notice(words.en.paid)).toBeVisible();
  hold.release();
  await checkout.expectReceipt(/charged once|already paid/);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});
