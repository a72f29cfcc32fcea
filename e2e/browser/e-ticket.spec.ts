import { expect, test } from './shop-test.js';
import { words } from './words.js';

for (const method of ['balance', 'card'] as const) {
  test(`After paying by ${method} the e-ticket is on its way, and then stands on the receipt by itself`, async ({
    page,
    shop,
    checkout,
  }) => {
    const order = await shop.order();
    await checkout.open(order);
    if (method === 'card') await checkout.chooseCard('card_visa_approved');
    await checkout.pay.click();
    await checkout.expectReceipt();
    await expect(page.getByText(words.en.ticketOnTheWay).or(page.getByText(/^Issued on /))).toBeVisible();
    await expect(page.getByText(/^Issued on /)).toBeVisible();
    const { tickets } = await shop.readOrder(order.id);
    expect(tickets).toHaveLength(1);
    await expect(page.getByText(tickets[0]?.id ?? 'an e-ticket')).toBeVisible();
  });
}
