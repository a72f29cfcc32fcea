import type { Page, Route } from '@playwright/test';
import { holdRequest } from './payment-gestures/index.js';
import { orderUrl, paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';

/** What may stand between the page and the server. None of it tells whether the server has done the work. */
const answers: Record<string, (route: Route) => Promise<void>> = {
  'an empty 500': (route) => route.fulfill({ status: 500 }),
  'a 502 page of a proxy': (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  'a 403 page of a proxy': (route) =>
    route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>Blocked</h1>' }),
  'an empty 503': (route) => route.fulfill({ status: 503 }),
  'a 504 page of a proxy': (route) =>
    route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway time-out</h1>' }),
  'a 200 page of a captive portal': (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome to our Wi-Fi</h1>' }),
  'a 200 that breaks off': (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: '{"id":"' }),
};

for (const [answer, give] of Object.entries(answers)) {
  test(`After ${answer} the outcome is unknown, and the charge that was made is found`, async ({
    page,
    shop,
    checkout,
    payments,
  }) => {
    const order = await shop.order();
    await checkout.hurry();
    await checkout.open(order);
    await page.route(paymentsUrl, async (route) => {
      await route.fetch();
      await give(route);
    });
    const asking = await holdRequest(page, orderUrl);
    await checkout.pay.click();
    await checkout.expectUnknown();
    await expectNoAlarm(page);
    await expect(checkout.retrySafely).toHaveCount(0);

    // It says so from the first lost reply on, while the same key is sent again; it asks when it has stopped sending.
    await asking.held;
    const sent = payments.count;
    asking.release();
    await checkout.expectReceipt();
    expect(payments.count).toBe(sent);
    expect(payments.keys).toHaveLength(1);
    await shop.expectChargedOnce(order);
  });
}

test('While the server answers nothing at all the outcome stays unknown; when it is back it is asked, then paid safely', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.hurry();
  await checkout.open(order);
  await page.route('**/api/**', (route) => route.fulfill({ status: 503 }));
  await checkout.pay.click();
  await checkout.expectUnknown();
  await expectNoAlarm(page);
  await page.waitForResponse(orderUrl);
  await checkout.expectUnknown();
  await expect(checkout.retrySafely).toHaveCount(0);

  await page.unroute('**/api/**');
  await checkout.retrySafely.click();
  await checkout.expectReceipt();
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});

test('When no attempt is ever answered the page stops sending within its budget, and asks', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await page.clock.install();
  await checkout.hurry();
  await checkout.open(order);
  const hold = await holdRequest(page, paymentsUrl);
  await checkout.pay.click();
  await hold.held;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await expect.poll(() => payments.count).toBe(attempt);
    await page.clock.fastForward(15_000);
  }
  await expect(checkout.retrySafely).toBeVisible();
  await expectNoAlarm(page);
  expect(payments.count).toBe(2);
  expect(payments.keys).toHaveLength(1);
  await shop.expectNothingCharged(order);
});

/** Nothing on the page is red or speaks of a failure, and the notice is amber with a sign of its own. */
async function expectNoAlarm(page: Page): Promise<void> {
  const main = page.getByRole('main');
  await expect(main).not.toContainText(/fail|error|declined|gagal/i);
  const notice = main.getByRole('region', { name: /No answer yet|The shop knows of no charge/ });
  await expect(notice.locator('svg')).toBeVisible();
  const colors = await notice.evaluate((element) => {
    const { borderColor, color, backgroundColor } = getComputedStyle(element);
    return [borderColor, color, backgroundColor];
  });
  for (const color of colors) expect(hueOf(color), color).toBeGreaterThan(30);
  for (const color of colors) expect(hueOf(color), color).toBeLessThan(60);
}

/** In degrees: red is 0, amber about 40, yellow 60. */
function hueOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI;
}
