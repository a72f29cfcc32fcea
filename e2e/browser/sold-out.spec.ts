import { concerts } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

test('Seats that are gone by the time of the press are said to be sold out, and nothing is charged for them', async ({
  shop,
  checkout,
  payments,
}) => {
  const faster = await shop.order(concerts.nightTrain, 2);
  const slower = await shop.order(concerts.nightTrain, 1);
  await checkout.open(slower);
  await shop.payElsewhere(faster);
  await checkout.pay.click();
  await expect(checkout.notice(words.en.soldOut)).toBeFocused();
  await expect(checkout.pay).toHaveCount(0);
  expect(await payments.statuses()).toEqual([409]);
  expect(await checkout.storedIntent(slower)).toBeNull();
  expect((await shop.readOrder(slower.id)).payments).toEqual([]);
  await shop.expectChargedOnce(faster);
});
