import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { useShop } from './shop.js';

const shop = useShop();

it('100 duplicates of a slow payment wait for nothing, and keep nobody else waiting', async () => {
  const shopper = await shop.newShopper();
  const bystander = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const held = shop.holdNextPayment();
  const owner = shopper.pay(order, { key });
  await held;

  // Twenty at a time are more than there are connections, and few enough for a slow machine.
  for (let round = 1; round <= 5; round++) {
    const duplicates = Promise.all(Array.from({ length: 20 }, () => shopper.pay(order, { key })));
    const unrelated = bystander.send('GET', '/api/concerts');
    expect(await shop.mostWaitingDuring(duplicates)).toBe(0);
    for (const reply of await duplicates) expectProblem(reply, 'request_in_progress');
    expect((await unrelated).status).toBe(200);
  }
  expect((await bystander.pay(await bystander.order(), { key })).status).toBe(201);
  shop.letGo();
  expect((await owner).status).toBe(201);
  expect((await shop.recorded(shopper)).charges).toBe(1);
});

it('20 other keys of an order that is being paid wait for nothing either', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const held = shop.holdNextPayment();
  const owner = shopper.pay(order, { key: randomUUID() });
  await held;
  const keys = Array.from({ length: 20 }, () => randomUUID());
  const others = Promise.all(keys.map((key) => shopper.pay(order, { key })));
  expect(await shop.mostWaitingDuring(others)).toBe(0);
  for (const reply of await others) expectProblem(reply, 'order_being_paid');
  shop.letGo();
  expect((await owner).status).toBe(201);
});

it('Payments that stand in each other’s way give up before long, and their keys stay good', async () => {
  const shopper = await shop.newShopper();
  const orders = await Promise.all(Array.from({ length: 20 }, () => shopper.order()));
  const attempts = orders.map((order) => ({ order, key: randomUUID() }));
  await shop.lockBalance(shopper);
  const startedAt = performance.now();
  const replies = await Promise.all(attempts.map(({ order, key }) => shopper.pay(order, { key })));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  for (const reply of replies) expect(expectProblem(reply, 'unavailable').retry).toBe('same_key');
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });
  shop.letGo();
  const retries = await Promise.all(attempts.map(({ order, key }) => shopper.pay(order, { key })));
  expect(retries.map(({ status }) => status)).toEqual(attempts.map(() => 201));
  expect((await shop.recorded(shopper)).charges).toBe(20);
});

it('Between payments no connection holds a transaction or a lock', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  await Promise.all(Array.from({ length: 30 }, () => shopper.pay(order, { key: randomUUID() })));
  const [open] = await shop.sql<{ connections: number; busy: number; locks: number }>(
    `select count(*)::integer as connections, count(xact_start)::integer as busy,
            (select count(*)::integer from pg_locks where locktype = 'advisory'
              and database = (select oid from pg_database where datname = current_database())) as locks
       from pg_stat_activity where datname = current_database() and application_name = 'api'`,
  );
  expect(open).toMatchObject({ busy: 0, locks: 0 });
  expect(open?.connections).toBeLessThanOrEqual(10);
});
