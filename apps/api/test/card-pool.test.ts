import { randomUUID } from 'node:crypto';
import type { Order } from '@pay-once/contracts';
import { expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { until } from './shop.js';
import { cardPayment, type Shopper } from './shopper.js';

const PAYMENTS = 200;
const GROUP = 10;
/** Longer than the test: the network answers none of them. */
const SLOW_MS = 300_000;
/** On a machine that is busy with other things. */
const PATIENCE_MS = 60_000;

const shop = useCardShop({
  shop: { POOL_MAX: '10', CARD_NETWORK_TIMEOUT_MS: '200000', LEASE_MS: '250000' },
  network: { POOL_MAX: '20' },
});

it('200 payments that wait for a slow network hold no connection, and others are answered meanwhile', async () => {
  const shoppers = await Promise.all(Array.from({ length: 20 }, () => shop.newShopper()));
  const orders: { shopper: Shopper; order: Order }[] = [];
  for (let index = 0; index < PAYMENTS; index++) {
    const shopper = shoppers[index % shoppers.length];
    if (shopper !== undefined) orders.push({ shopper, order: await shopper.order() });
  }
  await shop.network.arm({ fault: 'slow', on: 'authorisations', times: PAYMENTS, delayMs: SLOW_MS });

  let answered = 0;
  const pay = async ({ shopper, order }: { shopper: Shopper; order: Order }): Promise<number> => {
    const body = cardPayment(order, 'card_visa_approved');
    const reply = await shopper.pay(order, { key: randomUUID(), body });
    answered++;
    return reply.status;
  };
  const inside = async () => (await shop.sql(`select from payments where status = 'processing'`)).length;
  // They come in groups, so that a machine that is busy with other things does not take too long to begin them.
  const paying: Promise<number>[] = [];
  while (paying.length < PAYMENTS) {
    paying.push(...orders.slice(paying.length, paying.length + GROUP).map(pay));
    await until(async () => (await inside()) === paying.length, PATIENCE_MS);
  }
  // Those whose first transaction ends just now are about to ask.
  const open = () =>
    shop.sql(
      `select state, query from pg_stat_activity
        where datname = current_database() and application_name = 'api' and xact_start is not null`,
    );
  await until(async () => (await open()).length === 0);

  const reads = await Promise.all(
    shoppers.map(async (shopper) => (await shopper.send('GET', '/api/orders')).status),
  );
  expect(new Set(reads)).toEqual(new Set([200]));
  // All 200 wait for the network; no connection has a transaction open for them.
  expect(await open()).toEqual([]);
  expect(answered).toBe(0);

  await shop.network.kill();
  expect(new Set(await Promise.all(paying))).toEqual(new Set([202]));
  await shop.network.start();
  await shop.startWorker();
  await until(async () => (await inside()) === 0, PATIENCE_MS);
  const { length } = (await shop.network.operations()).filter(({ kind }) => kind === 'authorisation');
  expect(length).toBe(PAYMENTS);
});
