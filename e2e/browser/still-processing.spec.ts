import { arriveLate, holdRequest } from './payment-gestures/index.js';
import { readNextAnswer } from './payment-requests.js';
import { orderUrl, paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('Paying again after a reload, while the first request is still running, is told so and then replayed', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const late = await arriveLate(page, paymentsUrl);
  await checkout.pay.click();
  await late.left;
  await page.reload();
  await expect(checkout.retrySafely).toBeVisible();
  await shop.ledger.whileBalanceIsHeld(shop.sandboxId, async (stopped) => {
    void late.arrive();
    await stopped();
    const second = await readNextAnswer(page);
    await checkout.retrySafely.click();
    expect(await second.body).toMatchObject({ code: 'request_in_progress', retry: 'same_key' });
  });
  expect(await late.arrive()).toBe(201);
  await checkout.expectReceipt(words.en.replay);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});

test('A payment that is still running after every attempt is said to be processed, and is asked about', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.hurry();
  await checkout.open(order);
  await page.route(paymentsUrl, (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      json: { code: 'request_in_progress', retry: 'same_key', status: 409, title: 'Running', detail: '' },
    }),
  );
  const asking = await holdRequest(page, orderUrl);
  await checkout.pay.click();
  await expect(page.getByText(words.en.processing)).toBeVisible();
  await expect(checkout.pay).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('main')).not.toContainText(/fail|error/i);
  await shop.payElsewhere(order, payments.keys[0]);
  await asking.held;
  const sent = payments.count;
  asking.release();
  await checkout.expectReceipt();
  expect(payments.count).toBe(sent);
  await shop.expectChargedOnce(order);
});
