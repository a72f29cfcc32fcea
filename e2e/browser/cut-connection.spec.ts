import { openCutLine } from './cut-line.js';
import { expect, test as shopTest } from './shop-test.js';

interface LineFixtures {
  line: Awaited<ReturnType<typeof openCutLine>>;
}

const test = shopTest.extend<LineFixtures>({
  line: async ({ browserName: _ }, use) => {
    const line = await openCutLine(process.env['BASE_URL'] ?? '');
    await use(line);
    await line.close();
  },
  baseURL: async ({ line }, use) => use(line.url),
});

test('A connection that is reset when the server answers charges once, also when the browser itself sends again', async ({
  shop,
  checkout,
  line,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  line.cutReplies(1);
  await checkout.pay.click();
  await checkout.expectReceipt(/charged once|already paid/);
  expect(line.cuts()).toBe(1);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});

test('When every connection of a payment is reset the outcome is unknown, and the charge is found', async ({
  shop,
  checkout,
  line,
  payments,
}) => {
  const order = await shop.order();
  await checkout.hurry();
  await checkout.open(order);
  line.cutReplies(100);
  await checkout.pay.click();
  await checkout.expectReceipt();
  // The browser repeats a request whose reused connection breaks, without telling the page.
  expect(line.cuts()).toBeGreaterThanOrEqual(payments.count);
  expect(payments.keys).toHaveLength(1);
  await shop.expectChargedOnce(order);
});
