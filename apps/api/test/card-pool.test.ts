import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { until } from './shop.js';
import { cardPayment } from './shopper.js';

const PAYMENTS = 200;
const SLOW_MS = 5_000;

const shop = useCardShop({
  shop: { POOL_MAX: '10', CARD_NETWORK_TIMEOUT_MS: '60000', LEASE_MS: '90000' },
  network: { POOL_MAX: '20' },
});

it('200 payments that wait for a slow network hold no connection, and others are answered meanwhile', async () => {
  const shoppers = await Promise.all(Array.from({ length: 20 }, () => shop.newShopper()));
  const orders = [];
  for (let index = 0; index < PAYMENTS; index++) {
    const shopper = shoppers[index % shoppers.length];
    if (shopper !== undefined) orders.push({ shopper, order: await shopper.order() });
  }
  await shop.network.arm({ fault: 'slow', on: 'authorisations', times: PAYMENTS, delayMs: SLOW_MS });

  let answered = 0;
  const paying = orders.map(async ({ shopper, order }) => {
    const body = cardPayment(order, 'card_visa_approved');
    const reply = await shopper.pay(order, { key: randomUUID(), body });
    answered++;
    return reply.status;
  });
  const inside = async () =>
    (
      await shop.sql<{ count: number }>(
        `select count(*)::integer as count from payments where status = 'processing'`,
      )
    )[0]?.count;
  await until(async () => (await inside()) === PAYMENTS);
  expect(answered).toBe(0);

  // All 200 are at the network now. No connection of the API has a transaction open.
  const open = await shop.sql(
    `select state, query from pg_stat_activity
      where datname = current_database() and application_name = 'api' and xact_start is not null`,
  );
  expect(open).toEqual([]);
  const reads = await Promise.all(
    shoppers.map(async (shopper) => (await shopper.send('GET', '/api/orders')).status),
  );
  expect(new Set(reads)).toEqual(new Set([200]));
  expect(answered).toBe(0);

  expect(new Set(await Promise.all(paying))).toEqual(new Set([201]));
  const { length } = (await shop.network.operations()).filter(({ kind }) => kind === 'authorisation');
  expect(length).toBe(PAYMENTS);
});
