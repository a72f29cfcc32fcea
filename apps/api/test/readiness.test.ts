import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { useShop } from './shop.js';

const shop = useShop();

const READY_MAX_MS = 2_000;

const ask = (path: string): Promise<Reply> => send(shop.url + path, { method: 'GET' });

async function expectWithin(limitMs: number, reply: Promise<Reply>): Promise<Reply> {
  const startedAt = performance.now();
  const answered = await reply;
  expect(performance.now() - startedAt).toBeLessThan(limitMs);
  return answered;
}

it('An API with a database is alive and ready', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const reply = await ask(path);
    expect([reply.status, reply.text]).toEqual([200, '{"status":"ok"}']);
  }
});

it('Without Postgres it is alive, not ready, and says of payments that nothing happened; with it, all is well', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  await shop.wire.remove();
  try {
    expect((await ask('/healthz')).status).toBe(200);
    expectProblem(await expectWithin(READY_MAX_MS, ask('/readyz')), 'unavailable');
    const failed = await expectWithin(READY_MAX_MS, shopper.pay(order, { key }));
    expect(expectProblem(failed, 'unavailable').retry).toBe('same_key');
    expect(failed.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, keys: [] });
  } finally {
    await shop.wire.restore();
  }
  expect((await ask('/readyz')).status).toBe(200);
  expect((await shopper.pay(order, { key })).status).toBe(201);
  expect((await shop.recorded(shopper)).charges).toBe(1);
});

it('When its last migration is taken back under it, it is alive and not ready, and says why', async () => {
  const [last] = await shop.sql<{ name: string }>(
    'delete from migrations where id = (select max(id) from migrations) returning *',
  );
  try {
    expect((await ask('/healthz')).status).toBe(200);
    const problem = expectProblem(await ask('/readyz'), 'unavailable');
    expect(problem.detail).toBe(`Migrations have not run: ${last?.name}.`);
  } finally {
    await shop.sql('insert into migrations select * from json_populate_record(null::migrations, $1)', [last]);
  }
  expect((await ask('/readyz')).status).toBe(200);
});

it('When its whole schema is taken away under it, it is alive and not ready', async () => {
  await shop.sql('alter table migrations rename to migrations_elsewhere');
  try {
    expect((await ask('/healthz')).status).toBe(200);
    expectProblem(await ask('/readyz'), 'unavailable');
  } finally {
    await shop.sql('alter table migrations_elsewhere rename to migrations');
  }
  expect((await ask('/readyz')).status).toBe(200);
});

it('While Postgres is connected but silent, the API does not claim to be ready, and recovers by itself', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
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
