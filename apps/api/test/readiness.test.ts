import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { DatabaseWire } from './database-wire.js';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { useShop } from './shop.js';

let wire: DatabaseWire;

const shop = useShop(async ({ databaseUrls }) => {
  wire = await DatabaseWire.lay(databaseUrls.run);
  return { DATABASE_URL: wire.url };
});
afterAll(() => wire.remove());

const READY_MAX_MS = 2_000;
/** The longest that a payment may leave its client without an answer when Postgres gives none. */
const PAYMENT_MAX_MS = 10_000;

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
  await wire.remove();
  try {
    expect((await ask('/healthz')).status).toBe(200);
    expectProblem(await expectWithin(READY_MAX_MS, ask('/readyz')), 'unavailable');
    const failed = await expectWithin(READY_MAX_MS, shopper.pay(order, { key }));
    expect(expectProblem(failed, 'unavailable').retry).toBe('same_key');
    expect(failed.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, keys: [] });
  } finally {
    await wire.restore();
  }
  expect((await ask('/readyz')).status).toBe(200);
  expect((await shopper.pay(order, { key })).status).toBe(201);
  expect((await shop.recorded(shopper)).charges).toBe(1);
});

it('While Postgres is connected but silent, nobody waits for it for long', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  wire.fallSilent();
  try {
    expect((await ask('/healthz')).status).toBe(200);
    const [ready, failed] = await Promise.all([
      expectWithin(READY_MAX_MS, ask('/readyz')),
      expectWithin(PAYMENT_MAX_MS, shopper.pay(order, { key })),
    ]);
    expectProblem(ready, 'unavailable');
    expectProblem(failed, 'unavailable');
  } finally {
    wire.speak();
  }
  await shop.until(async () => (await ask('/readyz')).status === 200);
  await shop.until(async () => (await shopper.pay(order, { key })).status === 201);
  expect((await shop.recorded(shopper)).charges).toBe(1);
});
