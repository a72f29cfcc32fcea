import { doubleSubmit, holdReply } from './payment-gestures/index.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

const formUrl = '**/checkout/*/pay';

test('Without JavaScript one press pays once, and reloading the receipt sends nothing', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await expect(checkout.pay).toHaveText(words.en.idle);
  await checkout.pay.click();
  await expect(page).toHaveURL(new RegExp(`/orders/${order.id}$`));
  await expect(page.getByRole('heading', { name: words.en.paid })).toBeVisible();
  await expect(page.getByText(words.en.amount).first()).toBeVisible();
  const reloaded = page.waitForRequest((request) => request.isNavigationRequest());
  await page.reload();
  expect((await reloaded).method()).toBe('GET');
  await expect(page.getByRole('heading', { name: words.en.paid })).toBeVisible();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});

for (const { apartMs, method } of [
  { apartMs: 100, method: 'balance' },
  { apartMs: 500, method: 'balance' },
  { apartMs: 500, method: 'card' },
  { apartMs: 1_200, method: 'balance' },
] as const) {
  test(`Without JavaScript two presses ${apartMs} ms apart to pay by ${method} carry one key and charge once`, async ({
    page,
    shop,
    checkout,
    payments,
    expectTakenOnce,
  }) => {
    const order = await shop.order();
    await checkout.openToPayBy(method, order);
    // Until the reply is there the page stays, and its button can be pressed again.
    const hold = await holdReply(page, formUrl);
    await doubleSubmit.clicksApart(checkout.pay, apartMs);
    await expect.poll(() => payments.count).toBe(2);
    hold.release();
    await expect(page.getByRole('heading', { name: words.en.paid })).toBeVisible();
    expect(new Set(payments.sent.map((payment) => keyIn(payment.body))).size).toBe(1);
    await expectTakenOnce(order, method);
  });
}

test('Without JavaScript a second press while the first is running ends on the receipt by itself', async ({
  page,
  shop,
  checkout,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const told = page.waitForResponse(/problem=request_in_progress/);
  let text = '';
  await shop.ledger.whileBalanceIsHeld(shop.sandboxId, async (stopped) => {
    await doubleSubmit.clicksApart(checkout.pay, stopped);
    text = await (await told).text();
  });
  expect(text).toContain('Your payment is still being processed.');
  expect(text).toContain('Look again now');
  expect(text).not.toContain('Nothing has been charged');
  expect(Number(/http-equiv="refresh" content="(\d+);/.exec(text)?.[1])).toBeLessThanOrEqual(5);
  await expect(page.getByRole('heading', { name: words.en.paid })).toBeVisible();
  await shop.expectChargedOnce(order);
});

test('Without JavaScript Back after paying never charges again', async ({ page, shop, checkout }) => {
  const order = await shop.order();
  await checkout.open(order);
  await checkout.pay.click();
  await expect(page.getByRole('heading', { name: words.en.paid })).toBeVisible();
  await page.goBack();
  if (await checkout.pay.isVisible()) await checkout.pay.click();
  await expect(page.getByText(words.en.paid)).toBeVisible();
  await shop.expectChargedOnce(order);
});

test('Without JavaScript not enough balance says so; after a top-up the next press pays once', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await shop.setBalance(0);
  await checkout.open(order);
  await checkout.pay.click();
  await expect(page.getByRole('alert')).toContainText(words.en.balanceInsufficient);
  await shop.expectNothingCharged(order, { declines: 1 });

  await shop.setBalance(order.amountMinor);
  await page.reload();
  await checkout.pay.click();
  await expect(page.getByRole('heading', { name: words.en.paid })).toBeVisible();
  expect(payments.count).toBe(2);
  await shop.expectChargedOnce(order, { declinesBefore: 1 });
});

test('Without JavaScript a card that is declined took nothing, and another card then pays once', async ({
  page,
  shop,
  checkout,
  payments,
  cardNetwork,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await checkout.chooseCard('card_declined');
  await checkout.pay.click();
  await expect(page.getByRole('alert')).toHaveText(words.en.declined);
  await expect(checkout.cardMethod).toBeChecked();
  await shop.expectNothingCharged(order, { declines: 1 });

  await checkout.chooseCard('card_visa_approved');
  await checkout.pay.click();
  await expect(page.getByRole('heading', { name: words.en.paid })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Test card');
  expect(new Set(payments.sent.map((payment) => keyIn(payment.body))).size).toBe(2);
  await shop.expectChargedOnce(order, { declinesBefore: 1 });
  await cardNetwork.expectAuthorisedOnce(shop, order, { declinesBefore: 1 });
});

test('Without JavaScript a card whose answer is lost is said to be processed, and the page becomes the receipt by itself', async ({
  page,
  shop,
  checkout,
  payments,
  cardNetwork,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  await checkout.chooseCard('card_lookup_unknown');
  const shown = page.waitForResponse((response) => response.url().endsWith(`/orders/${order.id}`));
  await checkout.pay.click();
  const text = await (await shown).text();
  expect(text).toContain('Your payment is still being processed.');
  expect(Number(/http-equiv="refresh" content="(\d+);/.exec(text)?.[1])).toBeLessThanOrEqual(5);
  await expect(page.getByRole('heading', { name: words.en.paid })).toBeVisible();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
  await cardNetwork.expectAuthorisedOnce(shop, order);
});

test('A payment by card and its refund stand on the plain receipt', async ({ page, shop }) => {
  const order = await shop.order();
  await shop.payElsewhereByCard(order, 'card_visa_approved');
  await shop.ledger.refundAlone(async () => void (await shop.refundElsewhere(order, 50_000_000)));
  await page.goto(`/orders/${order.id}`);
  const receipt = page.getByRole('main');
  await expect(receipt).toContainText('Test card');
  await expect(receipt).toContainText('Rp500,000: given back');
});

test('A payment that needs a person says so without looking again and again', async ({ page, shop }) => {
  const order = await shop.order();
  await shop.payElsewhereByCard(order, 'card_wrong_amount');
  const [payment] = (await shop.readOrder(order.id)).payments;
  await page.goto(`/checkout/${order.id}`);
  await expect(page.getByText(words.en.needsPerson)).toBeVisible();
  await expect(page.getByText(payment?.id ?? 'a payment number')).toBeVisible();
  await expect(page.locator('meta[http-equiv="refresh"]')).toHaveCount(0);
});

function keyIn(body: string | null): string | null {
  return new URLSearchParams(body ?? '').get('idempotencyKey');
}
