import { randomUUID } from 'node:crypto';
import type { Order } from '@pay-once/contracts';
import { expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { useShop } from './shop.js';
import type { Shopper } from './shopper.js';

const shop = useShop();

const READY_MAX_MS = 2_000;

const ask = (path: string): Promise<Reply> => send(shop.url + path, { method: 'GET' });

async function expectWithin(limitMs: number, reply: Promise<Reply>): Promise<Reply> {
  const startedAt = performance.now();
  const answered = await reply;
  expect(performance.now() - startedAt).toBeLessThan(limitMs);
  return answered;
}

async function aPayment(): Promise<{ shopper: Shopper; order: Order; key: string }> {
  const shopper = await shop.newShopper();
  return { shopper, order: await shopper.order(), key: randomUUID() };
}

/** Whoever reloads meanwhile sees a page that contradicts no payment and looks again by itself. */
async function expectPageForNow(shopper: Shopper, order: Order): Promise<void> {
  for (const path of [`/orders/${order.id}`, `/checkout/${order.id}`]) {
    const page = await shopper.send('GET', path, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(503);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(page.text).toContain('if you pressed Pay, it may have gone through, and at most once');
    expect(page.text).toMatch(new RegExp(`<noscript><meta http-equiv="refresh" content="\\d+;url=${path}"`));
  }
}

async function expectNotTaken(shopper: Shopper, order: Order, key: string): Promise<void> {
  const refused = await expectWithin(READY_MAX_MS, shopper.pay(order, { key }));
  expect(expectProblem(refused, 'unavailable').retry).toBe('same_key');
  expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, keys: [] });
}

async function expectTaken(shopper: Shopper, order: Order, key: string): Promise<void> {
  expect((await ask('/readyz')).status).toBe(200);
  expect((await shopper.pay(order, { key })).status).toBe(201);
  expect((await shop.recorded(shopper)).charges).toBe(1);
}

it('An API with a database is alive and ready', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const reply = await ask(path);
    expect([reply.status, reply.text]).toEqual([200, '{"status":"ok"}']);
  }
});

it('Without Postgres it is alive, not ready, and payments are told to send the same key again; with it, all is well', async () => {
  const { shopper, order, key } = await aPayment();
  await shop.wire.remove();
  try {
    expect((await ask('/healthz')).status).toBe(200);
    expectProblem(await expectWithin(READY_MAX_MS, ask('/readyz')), 'unavailable');
    await expectNotTaken(shopper, order, key);
    await expectPageForNow(shopper, order);
  } finally {
    await shop.wire.restore();
  }
  await expectTaken(shopper, order, key);
});

it('When its last migration is taken back under it, it is alive and not ready, says why, and takes no payment', async () => {
  const { shopper, order, key } = await aPayment();
  const [last] = await shop.sql<{ name: string }>(
    'delete from migrations where id = (select max(id) from migrations) returning *',
  );
  try {
    expect((await ask('/healthz')).status).toBe(200);
    const problem = expectProblem(await ask('/readyz'), 'unavailable');
    expect(problem.detail).toBe(`Migrations have not run: ${last?.name}.`);
    await expectNotTaken(shopper, order, key);
    await expectPageForNow(shopper, order);
    const newcomer = await send(`${shop.url}/api/sandboxes`, { method: 'POST', body: {} });
    expectProblem(newcomer, 'unavailable');
  } finally {
    await shop.sql('insert into migrations select * from json_populate_record(null::migrations, $1)', [last]);
  }
  await expectTaken(shopper, order, key);
});

it.each(['migrations', 'payments', 'idempotency_records'])(
  'When the table %s is taken away under it, it is alive and takes no payment',
  async (table) => {
    const { shopper, order, key } = await aPayment();
    await shop.sql(`alter table ${table} rename to elsewhere`);
    try {
      expect((await ask('/healthz')).status).toBe(200);
      if (table === 'migrations') expectProblem(await ask('/readyz'), 'unavailable');
      expectProblem(await shopper.pay(order, { key }), 'unavailable');
    } finally {
      await shop.sql(`alter table elsewhere rename to ${table}`);
    }
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, keys: [] });
    await expectTaken(shopper, order, key);
  },
);

it('While Postgres is connected but silent, the API does not claim to be ready, and recovers by itself', async () => {
  const { shopper, order, key } = await aPayment();
  shop.wire.fallSilent();
  const unanswered = shopper.pay(order, { key });
  try {
    expect((await ask('/healthz')).status).toBe(200);
    expectProblem(await expectWithin(READY_MAX_MS, ask('/readyz')), 'unavailable');
  } finally {
    shop.wire.speak();
  }
  expect((await unanswered).status).toBe(201);
  expect((await ask('/readyz')).status).toBe(200);
  expect((await shop.recorded(shopper)).charges).toBe(1);
});
