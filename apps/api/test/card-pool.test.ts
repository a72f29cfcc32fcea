import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '@pay-once/contracts';
import { expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { until } from './shop.js';
import { cardPayment, type Shopper } from './shopper.js';

const PAYMENTS = 200;
/** Longer than the test: the network answers none of them. */
const SLOW_MS = 300_000;
/** On a machine that is busy with other things. */
const PATIENCE_MS = 90_000;
const TEST_MAX_MS = 300_000;

const shop = useCardShop({
  shop: { POOL_MAX: '10', CARD_NETWORK_TIMEOUT_MS: '200000', LEASE_MS: '250000' },
  network: { POOL_MAX: '20' },
});

it(
  '200 payments that wait for a slow network hold no connection, and others are answered meanwhile',
  async () => {
    const shoppers = await Promise.all(Array.from({ length: 20 }, () => shop.newShopper()));
    const orders: { shopper: Shopper; order: Order }[] = [];
    for (let index = 0; index < PAYMENTS; index++) {
      const shopper = shoppers[index % shoppers.length];
      if (shopper !== undefined) orders.push({ shopper, order: await shopper.order() });
    }
    await shop.network.arm({ fault: 'slow', on: 'authorisations', times: PAYMENTS, delayMs: SLOW_MS });

    const answered: number[] = [];
    /** Obeys the verdict, as a good client does: whoever waited for too long comes again with the same key. */
    const pay = async ({ shopper, order }: { shopper: Shopper; order: Order }): Promise<number> => {
      const key = randomUUID();
      const body = cardPayment(order, 'card_visa_approved');
      for (;;) {
        const reply = await shopper.pay(order, { key, body });
        if (reply.status !== 503 && reply.status !== 409) {
          answered.push(reply.status);
          return reply.status;
        }
        expect(JSON.parse(reply.text).retry).toBe('same_key');
        await sleep(Number(reply.headers['retry-after']) * 1_000);
      }
    };
    const asked = async () => (await shop.network.operations()).length;
    // All at once. Ten connections are all there is, and each is held for a moment only.
    const paying = orders.map(pay);
    await until(async () => (await asked()) === PAYMENTS, PATIENCE_MS);
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
    expect(answered).toEqual([]);

    const unsettled = async () => (await shop.sql(`select from payments where status = 'processing'`)).length;
    expect(await unsettled()).toBe(PAYMENTS);
    await shop.network.kill();
    expect(new Set(await Promise.all(paying))).toEqual(new Set([202]));
    await shop.network.start();
    await shop.startWorker();
    await until(async () => (await unsettled()) === 0, PATIENCE_MS);
    const { length } = (await shop.network.operations()).filter(({ kind }) => kind === 'authorisation');
    expect(length).toBe(PAYMENTS);
  },
  TEST_MAX_MS,
);
