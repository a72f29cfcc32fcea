import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMigrations, runProgram, startApi } from './api-process.js';
import { send } from './http-request.js';
import { createDatabase, databaseUrls, dropDatabase } from './postgres-cluster.js';
import { until, useShop } from './shop.js';
import { startWorker } from './worker-process.js';

const shop = useShop();

describe('an API refuses to start', () => {
  it('on a database without its schema', async () => {
    const name = `pay_once_empty_${randomUUID()}`;
    await createDatabase(name);
    onTestFinished(() => dropDatabase(name));
    await expect(startApi({ DATABASE_URL: databaseUrls(name).run })).rejects.toThrow(/Cannot start/);
  });

  it('and ends, though nobody reads why', async () => {
    const program = runProgram('main.js', { DATABASE_URL: databaseUrls('no_such_database').run });
    onTestFinished(() => void program.process.kill('SIGKILL'));
    program.process.stdout?.destroy();
    program.process.stderr?.destroy();
    expect(await program.ended).toBe(1);
  });

  it('before its last migration has run', async () => {
    const [last] = await shop.sql<{ name: string }>(
      `delete from migrations where id = (select max(id) from migrations) returning *`,
    );
    try {
      await expect(shop.startApi()).rejects.toThrow(`Migrations have not run: ${last?.name}`);
    } finally {
      await shop.sql('insert into migrations select * from json_populate_record(null::migrations, $1)', [
        last,
      ]);
    }
  });

  it('when the database may lose commits, isolates otherwise, or lacks the index on the key', async () => {
    const { databaseName } = shop;
    await shop.sql(`alter database ${databaseName} set synchronous_commit = off`);
    await shop.sql(`alter database ${databaseName} set default_transaction_isolation = 'serializable'`);
    await shop.sql('alter table idempotency_records drop constraint idempotency_records_owner');
    try {
      const refusal = await shop.startApi().catch((error: Error) => error);
      for (const fault of [
        'synchronous_commit is off',
        'default_transaction_isolation is serializable',
        'the unique index idempotency_records_owner is missing or invalid',
      ]) {
        expect(String(refusal)).toContain(fault);
      }
    } finally {
      await shop.sql(`alter database ${databaseName} reset all`);
      await shop.sql(
        'alter table idempotency_records add constraint idempotency_records_owner primary key (tenant_id, key)',
      );
    }
  });

  it.each([
    ['lacks an index that money depends on', 'drop index payments_one_per_order'],
    [
      'has one in its place that is not unique',
      `drop index payments_one_per_order;
       create index payments_one_per_order on payments (sandbox_id, order_id)`,
    ],
    [
      'has one that was never finished',
      `update pg_index set indisvalid = false where indexrelid = 'payments_one_per_order'::regclass`,
    ],
  ])('as does a worker, when the database %s', async (_fault, sql) => {
    const [index] = await shop.sql<{ definition: string }>(
      `select pg_get_indexdef('payments_one_per_order'::regclass) as definition`,
    );
    await shop.sql(sql);
    try {
      const refusal = 'Unique indexes are missing or invalid: payments_one_per_order.';
      await expect(shop.startApi()).rejects.toThrow(refusal);
      const { run } = shop.databaseUrls;
      await expect(startWorker({ databaseUrl: run, mailProviderUrl: run })).rejects.toThrow(refusal);
    } finally {
      await shop.sql(`drop index if exists payments_one_per_order; ${index?.definition}`);
    }
  });
});

describe('migrating', () => {
  it('twice changes nothing, also while the shop is open', async () => {
    const shopper = await shop.newShopper();
    const concerts = await shopper.send('GET', '/api/concerts');
    const before = await shop.sql('select * from migrations');
    await Promise.all([runMigrations(shop.databaseUrls), runMigrations(shop.databaseUrls)]);
    expect(await shop.sql('select * from migrations')).toEqual(before);
    expect((await shopper.send('GET', '/api/concerts')).body).toEqual(concerts.body);
  });
});

describe('SIGTERM', () => {
  it('answers what is in flight, then ends, though its clients keep their connections', async () => {
    const api = await shop.startApi();
    const shopper = await shop.newShopper(api.url);
    const order = await shopper.order();
    const key = randomUUID();
    const held = shop.holdNextPayment();
    const paying = shopper.pay(order, { key });
    await held;
    api.process.kill('SIGTERM');
    // The balancer is told, and still sends requests for a moment; they are answered, too.
    await until(async () => (await send(`${api.url}/readyz`, { method: 'GET' })).status === 503);
    const late = await send(`${api.url}/healthz`, { method: 'GET' });
    expect(late.status).toBe(200);
    shop.letGo();

    const paid = await paying;
    expect(paid.status).toBe(201);
    expect(paid.headers['connection']).toBe('close');
    expect(await api.ended).toBe(0);
    expect((await shop.recorded(shopper)).charges).toBe(1);
  });
});

describe('an API that is killed in the middle of a payment', () => {
  it('leaves nothing half-done, and the retry at another one charges once', async () => {
    const api = await shop.startApi();
    const shopper = await shop.newShopper(api.url);
    const order = await shopper.order();
    const key = randomUUID();
    const held = shop.holdNextPayment();
    const lost = shopper.pay(order, { key }).catch((error: Error) => error);
    await held;
    await api.kill();
    expect(await lost).toBeInstanceOf(Error);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], ordersPaid: 0, keys: [] });
    shop.letGo();

    const survivor = shopper.at(shop.url);
    let retry = await survivor.pay(order, { key });
    await until(async () => {
      // Until Postgres has noticed, the dead process's transaction holds the key.
      if (retry.status === 409) retry = await survivor.pay(order, { key });
      return retry.status !== 409;
    });
    expect(retry.status).toBe(201);
    expect(retry.headers).not.toHaveProperty('idempotent-replayed');
    expect(await shop.recorded(shopper)).toMatchObject({
      balanceMinor: 1_000_000_000 - order.amountMinor,
      booksMinor: 1_000_000_000 - order.amountMinor,
      charges: 1,
      payments: ['succeeded'],
      ordersPaid: 1,
      keys: [key],
    });
  });
});

describe('an API whose parent is gone', () => {
  it('answers what is in flight and ends, though nobody reads its log any more', async () => {
    const api = await shop.startApi({ LOG_LEVEL: 'info' });
    const shopper = await shop.newShopper(api.url);
    const order = await shopper.order();
    const held = shop.holdNextPayment();
    const paying = shopper.pay(order, { key: randomUUID() });
    await held;
    api.process.disconnect();
    await until(() => isClosed(api.url));
    api.process.stdout?.destroy();
    api.process.stderr?.destroy();
    // It takes no more requests, so the line about this payment is its last, and there is nobody to take it.
    shop.letGo();
    expect((await paying).status).toBe(201);
    expect(await api.ended).toBe(0);
  });
});

function isClosed(url: string): Promise<boolean> {
  return send(`${url}/healthz`, { method: 'GET' }).then(
    () => false,
    () => true,
  );
}
