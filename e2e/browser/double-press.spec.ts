import type { Checkout } from './checkout.js';
import { countCharges, doubleSubmit, holdReply } from './payment-gestures/index.js';
import { mayCharge } from './payment-requests.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';

const methodIn = (checkout: Checkout) => checkout.page.getByRole('radio', { name: 'Your balance' });

const gestures: Record<string, (checkout: Checkout) => Promise<void>> = {
  'A double click': ({ pay }) => doubleSubmit.doubleClick(pay),
  'Two submits in one task': ({ form }) => doubleSubmit.twoInOneTask(form),
  'Enter held down on Pay': ({ pay }) => doubleSubmit.heldEnter(pay),
  'Enter held down in a field': (checkout) => doubleSubmit.heldEnter(methodIn(checkout)),
  'Enter in a field together with a click': (checkout) =>
    doubleSubmit.enterAndClick(methodIn(checkout), checkout.pay),
  'The button held down': ({ pay }) => pay.click({ delay: 1_000 }),
  'Enter while the button is held down': async ({ page, pay }) => {
    await pay.hover();
    await page.mouse.down();
    await pay.press('Enter');
    await page.mouse.up();
  },
};

for (const [gesture, make] of Object.entries(gestures)) {
  test(`${gesture} sends one request and charges once`, async ({ context, shop, checkout }) => {
    const order = await shop.order();
    await checkout.open(order);
    const made = await countCharges({
      context,
      mayCharge,
      readCharges: () => shop.readCharges(),
      during: async () => {
        await make(checkout);
        await checkout.expectReceipt();
      },
    });
    expect(made).toEqual({ charges: 1, requests: 1 });
    await shop.expectChargedOnce(order);
  });
}

test('Pressing again and again while the first press is under way sends nothing more', async ({
  page,
  shop,
  checkout,
  payments,
}) => {
  const order = await shop.order();
  await checkout.open(order);
  const hold = await holdReply(page, paymentsUrl);
  await checkout.pay.click();
  await hold.held;
  await checkout.pay.click({ force: true });
  await checkout.pay.press('Enter');
  await checkout.pay.press('Space');
  await doubleSubmit.twoInOneTask(checkout.form);
  hold.release();
  await checkout.expectReceipt();
  expect(payments.count).toBe(1);
  await shop.expectChargedOnce(order);
});

test('A double click on “one more seat” puts two seats into the cart', async ({ page, shop }) => {
  await page.goto('/');
  const more = page.getByRole('button', { name: 'One more seat for Gamelan at Dusk' });
  await more.dblclick();
  await expect.poll(async () => (await shop.readCart()).items.map(({ quantity }) => quantity)).toEqual([2]);
});
