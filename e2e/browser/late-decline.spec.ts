import { loseRequest } from './payment-gestures/index.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('A decline that comes after the payment was said to be processed is told in words, and the next press is a new key', async ({
  shop,
  checkout,
  payments,
  cardNetwork,
}) => {
  const order = await shop.order();
  await checkout.openWithCard(order, 'card_request_lost');
  await cardNetwork.declineWhenAskedAgain(shop, order, () => checkout.press());
  await expect(checkout.notice(words.en.declined)).toBeFocused();
  expect(await payments.statuses()).toEqual([202]);
  await expect(checkout.card).toHaveValue('card_request_lost');
  expect(await checkout.storedIntent(order)).toBeNull();
  await shop.expectNothingCharged(order, { declines: 1 });

  await checkout.chooseCard('card_visa_approved');
  await checkout.press();
  await checkout.expectReceipt();
  expect(payments.keys).toHaveLength(2);
  await shop.expectChargedOnce(order, { declinesBefore: 1 });
  await cardNetwork.expectAuthorisedOnce(shop, order, { declinesBefore: 1 });
});

test('A decline that came while nobody looked is found when the checkout is opened again, and charges nothing', async ({
  page,
  shop,
  checkout,
  payments,
  cardNetwork,
}) => {
  const order = await shop.order();
  await checkout.openWithCard(order, 'card_request_lost');
  await cardNetwork.declineWhenAskedAgain(shop, order, async () => {
    await checkout.press();
    await expect.poll(async () => (await shop.readOrder(order.id)).status).toBe('paying');
    await page.goto('/problems/card_declined');
  });
  await expect.poll(async () => (await shop.readOrder(order.id)).payments[0]?.status).toBe('declined');

  await page.goto(`/checkout/${order.id}`);
  const declined = checkout.notice(words.en.declined);
  await expect(declined.or(checkout.retrySafely)).toBeVisible();
  // The order says of no payment which key it had. Sent again under the stored one, the same decline comes back.
  if (await checkout.retrySafely.isVisible()) await checkout.press(checkout.retrySafely);
  await expect(declined).toBeFocused();
  expect(payments.keys).toHaveLength(1);
  expect(await checkout.storedIntent(order)).toBeNull();
  await shop.expectNothingCharged(order, { declines: 1 });

  await checkout.chooseCard('card_visa_approved');
  await checkout.press();
  await checkout.expectReceipt();
  expect(payments.keys).toHaveLength(2);
  await shop.expectChargedOnce(order, { declinesBefore: 1 });
  await cardNetwork.expectAuthorisedOnce(shop, order, { declinesBefore: 1 });
});

test('The decline of a payment from another device is not taken for that of a press that never arrived', async ({
  page,
  shop,
  checkout,
  payments,
  cardNetwork,
}) => {
  const order = await shop.order();
  await checkout.hurry();
  await checkout.open(order);
  const loss = await loseRequest(page, paymentsUrl);
  let elsewhere: Promise<void> | undefined;
  await cardNetwork.declineWhenAskedAgain(shop, order, async () => {
    elsewhere = shop.payElsewhereByCard(order, 'card_request_lost');
    await expect.poll(async () => (await shop.readOrder(order.id)).status).toBe('paying');
    await checkout.press();
    await expect(page.getByText(words.en.processing)).toBeVisible();
  });
  await elsewhere;
  await expect(checkout.retrySafely).toBeVisible();
  await expect(checkout.notice(words.en.declined)).toHaveCount(0);
  await shop.expectNothingCharged(order, { declines: 1 });

  await loss.stop();
  await checkout.press(checkout.retrySafely);
  await checkout.expectReceipt();
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order, { declinesBefore: 1 });
});
