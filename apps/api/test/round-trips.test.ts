import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useShop } from './shop.js';

const shop = useShop();

/** A cut that never comes: only the statements that pass are wanted. */
const NO_STATEMENT = Number.MAX_SAFE_INTEGER;

it('A new payment takes eleven round trips to Postgres, and its replay two', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();

  shop.wire.cutAt(NO_STATEMENT, 'request');
  expect((await shopper.pay(order, { key })).status).toBe(201);
  expect(shop.wire.mend().statements).toHaveLength(11);

  shop.wire.cutAt(NO_STATEMENT, 'request');
  expect((await shopper.pay(order, { key })).headers['idempotent-replayed']).toBe('true');
  expect(shop.wire.mend().statements).toHaveLength(2);
});
