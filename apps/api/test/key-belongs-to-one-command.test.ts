import { randomUUID } from 'node:crypto';
import type { Order } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import { balancePayment, type Shopper } from './shopper.js';

const shop = useShop();

interface PaidOnce {
  shopper: Shopper;
  order: Order;
  key: string;
  first: Reply;
}

async function payOnce(): Promise<PaidOnce> {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const first = await shopper.pay(order, { key });
  expect(first.status).toBe(201);
  return { shopper, order, key, first };
}

/** The sandbox's records, every column of them. */
async function records({ sandboxId }: Shopper): Promise<string[]> {
  const rows = await shop.sql<{ record: string }>(
    'select r::text as record from idempotency_records r where tenant_id = $1 order by 1',
    [sandboxId],
  );
  return rows.map(({ record }) => record);
}

async function expectReuse(reply: Reply, { shopper, order, key, first }: PaidOnce): Promise<void> {
  expectProblem(reply, 'idempotency_key_reused');
  expect(reply.headers['operation-id']).toBe(first.headers['operation-id']);
  expect(reply.headers).not.toHaveProperty('idempotent-replayed');
  // The record still answers the command that it belongs to.
  expect((await shopper.pay(order, { key })).body).toEqual(first.body);
}

describe('a used key with another command', () => {
  it.each([
    ['another amount', (order: Order) => ({ ...balancePayment(order), amountMinor: order.amountMinor + 1 })],
    ['another currency', (order: Order) => ({ ...balancePayment(order), currency: 'USD' })],
  ])('is refused for %s, and its record stays as it is', async (_what, bodyFor) => {
    const paid = await payOnce();
    const before = await records(paid.shopper);
    const money = await shop.recorded(paid.shopper);
    const reply = await paid.shopper.pay(paid.order, { key: paid.key, body: bodyFor(paid.order) });
    await expectReuse(reply, paid);
    expect(await records(paid.shopper)).toEqual(before);
    expect(await shop.recorded(paid.shopper)).toEqual(money);
  });

  it('is refused for another order, which stays unpaid', async () => {
    const paid = await payOnce();
    const other = await paid.shopper.order();
    const before = await records(paid.shopper);
    await expectReuse(await paid.shopper.pay(other, { key: paid.key }), paid);
    expect(await records(paid.shopper)).toEqual(before);
    expect((await paid.shopper.show(other)).status).toBe('unpaid');
    expect((await shop.recorded(paid.shopper)).charges).toBe(1);
  });

  it('is refused too when the key’s own answer was a decline', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    await shopper.setBalance(0);
    const key = randomUUID();
    const first = await shopper.pay(order, { key });
    expectProblem(first, 'balance_insufficient');
    const body = { ...balancePayment(order), amountMinor: 1 };
    await expectReuse(await shopper.pay(order, { key, body }), { shopper, order, key, first });
  });

  it('is a 404 for an order that is not there', async () => {
    const { shopper, order, key } = await payOnce();
    expectProblem(await shopper.pay({ ...order, id: randomUUID() }, { key }), 'not_found');
  });

  it('is told that the first runs while it runs, and refused on its retry', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const changed = { ...balancePayment(order), currency: 'JPY' };
    const held = shop.holdNextPayment();
    const owner = shopper.pay(order, { key });
    await held;
    expectProblem(await shopper.pay(order, { key, body: changed }), 'request_in_progress');
    shop.letGo();
    const first = await owner;
    expect(first.status).toBe(201);
    const retry = await shopper.pay(order, { key, body: changed });
    await expectReuse(retry, { shopper, order, key, first });
  });
});

describe('the same command', () => {
  const json = (order: Order): string => JSON.stringify(balancePayment(order));

  it.each<[string, (order: Order) => string]>([
    ['white space', (order) => JSON.stringify(balancePayment(order), null, '\r\n\t ')],
    [
      'the order of members',
      ({ amountMinor }) => `{"method":{"type":"balance"},"currency":"IDR","amountMinor":${amountMinor}}`,
    ],
    ['an exponent', (order) => json(order).replace(/\d+/, (digits) => `${Number(digits) / 1000}e3`)],
    ['a decimal point', (order) => json(order).replace(/\d+/, (digits) => `${digits}.0`)],
    ['an escape in a text', (order) => json(order).replace('"IDR"', '"\\u0049D\\u0052"')],
    ['an escape in a name', (order) => json(order).replace('"currency"', '"curr\\u0065ncy"')],
  ])('is known whatever %s it is written with', async (_difference, write) => {
    const { shopper, order, key, first } = await payOnce();
    const headers = { 'content-type': 'application/json' };
    const again = await shopper.pay(order, { key, headers, body: write(order) });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('is known by an order id in capital letters', async () => {
    const { shopper, order, key, first } = await payOnce();
    const again = await shopper.pay({ ...order, id: order.id.toUpperCase() }, { key });
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});

describe('one key in two sandboxes', () => {
  it('is two keys, even for orders with one id', async () => {
    const key = randomUUID();
    const one = await shop.newShopper();
    const other = await shop.newShopper();
    const order = await one.order();
    const items = order.items.map(({ concertId, quantity }) => ({ concertId, quantity }));
    const twin = await other.send('PUT', `/api/orders/${order.id}`, { body: { items } });
    expect(twin.status).toBe(201);

    const replies = await Promise.all([one.pay(order, { key }), other.pay(order, { key })]);
    for (const reply of replies) {
      expect(reply.status).toBe(201);
      expect(reply.headers).not.toHaveProperty('idempotent-replayed');
    }
    const [first, second] = replies;
    expect(first.headers['operation-id']).not.toBe(second.headers['operation-id']);
    expect(first.headers['location']).not.toBe(second.headers['location']);
    expect((await shop.recorded(one)).charges).toBe(1);
    expect((await shop.recorded(other)).charges).toBe(1);
    // Each sandbox is replayed its own payment.
    expect((await one.pay(order, { key })).body).toEqual(first.body);
    expect((await other.pay(order, { key })).body).toEqual(second.body);
  });
});

describe('without authentication', () => {
  it('a used key is no credential', async () => {
    const { shopper, order, key } = await payOnce();
    for (const authorization of ['Bearer wrong', '', `Bearer ${key}`]) {
      expectProblem(await shopper.pay(order, { key, headers: { authorization } }), 'unauthenticated');
    }
  });
});
