import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { useShop } from './shop.js';

const shop = useShop();

/** One kind of write: an operation on a table. */
interface Write {
  table: string;
  operation: 'INSERT' | 'UPDATE' | 'DELETE';
}

async function tables(): Promise<string[]> {
  const rows = await shop.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return rows.map(({ name }) => name);
}

/** The content of every table as one text, to compare. */
async function everyRow(): Promise<string> {
  const contents = (await tables()).map(async (table) => {
    const rows = await shop.sql<{ row: string }>(`select t::text as row from ${table} t order by 1`);
    return [table, ...rows.map(({ row }) => row)].join('\n');
  });
  return (await Promise.all(contents)).join('\n\n');
}

/** Finds out what a payment writes, by watching one. */
async function watchAPayment(): Promise<Write[]> {
  await shop.sql(`
    create schema watch;
    create table watch.writes ("table" text, operation text);
    create function watch.note() returns trigger language plpgsql security definer as $$
      begin insert into watch.writes values (tg_table_name, tg_op); return null; end $$`);
  const watched = await tables();
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  for (const table of watched) {
    await shop.sql(`create trigger watch after insert or update or delete on ${table}
      for each row execute function watch.note()`);
  }
  expect((await shopper.pay(order, { key: randomUUID() })).status).toBe(201);
  for (const table of watched) await shop.sql(`drop trigger watch on ${table}`);
  return shop.sql<Write>('select distinct "table", operation from watch.writes');
}

let writes: Write[];

beforeAll(async () => {
  writes = await watchAPayment();
  await shop.sql(`
    create function watch.fail() returns trigger language plpgsql as $$
      begin raise exception 'made to fail' using errcode = tg_argv[0]; end $$;
    grant usage on schema watch to public`);
});

const INTERNAL_SQLSTATE = 'XX000';
const OUT_OF_DISK_SQLSTATE = '53100';
const SERIALIZATION_SQLSTATE = '40001';

/** A failing trigger on one kind of write; deferred, it fails at COMMIT. */
async function breakWrite(
  { table, operation }: Write,
  when: 'before' | 'after' | 'at commit',
  sqlState: string,
): Promise<void> {
  const kind = when === 'at commit' ? 'constraint trigger' : 'trigger';
  const phase = when === 'before' ? 'before' : 'after';
  const deferred = when === 'at commit' ? 'deferrable initially deferred' : '';
  await shop.sql(`create ${kind} broken ${phase} ${operation} on ${table} ${deferred}
    for each row execute function watch.fail('${sqlState}')`);
}

async function repair({ table }: Write): Promise<void> {
  await shop.sql(`drop trigger if exists broken on ${table}`);
}

describe('a payment', () => {
  it('writes the record, the money and the order', () => {
    expect(writes).toEqual(
      expect.arrayContaining([
        { table: 'idempotency_records', operation: 'INSERT' },
        { table: 'idempotency_records', operation: 'UPDATE' },
        { table: 'balances', operation: 'UPDATE' },
        { table: 'concert_seats', operation: 'UPDATE' },
        { table: 'payments', operation: 'INSERT' },
        { table: 'ledger_entries', operation: 'INSERT' },
        { table: 'orders', operation: 'UPDATE' },
      ]),
    );
  });
});

describe.each(['before', 'after', 'at commit'] as const)('a failure %s a write', (when) => {
  it('leaves every table as it was, and the same key then pays once', async () => {
    for (const write of writes) {
      const shopper = await shop.newShopper();
      const order = await shopper.order();
      const key = randomUUID();
      const before = await everyRow();
      const where = `${when} ${write.operation} of ${write.table}`;
      try {
        await breakWrite(write, when, INTERNAL_SQLSTATE);
        const failed = await shopper.pay(order, { key });
        expect(expectProblem(failed, 'internal').retry, where).toBe('same_key');
        expect(failed.headers['operation-id']).toMatch(/^[0-9a-f-]{36}$/);
        expect(failed.headers).not.toHaveProperty('idempotency-expires');
        expect(await everyRow(), where).toBe(before);
      } finally {
        await repair(write);
      }
      const paid = await shopper.pay(order, { key });
      expect(paid.status, where).toBe(201);
      expect(paid.headers, where).not.toHaveProperty('idempotent-replayed');
      expect(await shop.recorded(shopper), where).toMatchObject({ charges: 1, ordersPaid: 1, keys: [key] });
    }
  });
});

describe('a database that says it cannot', () => {
  it.each([
    ['is out of disk', OUT_OF_DISK_SQLSTATE],
    ['sees a conflict every time', SERIALIZATION_SQLSTATE],
  ])('because it %s gives 503 and leaves every table as it was', async (_reason, sqlState) => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const before = await everyRow();
    const write: Write = { table: 'ledger_entries', operation: 'INSERT' };
    await breakWrite(write, 'at commit', sqlState);
    const failed = await shopper.pay(order, { key });
    await repair(write);
    expect(expectProblem(failed, 'unavailable').retry).toBe('same_key');
    expect(await everyRow()).toBe(before);
    expect((await shopper.pay(order, { key })).status).toBe(201);
  });

  it('because of a conflict that passes is asked again, and the client sees only the payment', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    // A sequence keeps its value over a rollback: it can tell the first run from the second.
    await shop.sql(`
      create sequence watch.runs;
      grant usage on watch.runs to public;
      create function watch.fail_once() returns trigger language plpgsql as $$
        begin
          if nextval('watch.runs') = 1 then raise exception 'a conflict' using errcode = '40P01'; end if;
          return new;
        end $$;
      create trigger broken before insert on payments for each row execute function watch.fail_once()`);
    const paid = await shopper.pay(order, { key: randomUUID() });
    await repair({ table: 'payments', operation: 'INSERT' });
    expect(paid.status).toBe(201);
    expect(paid.headers).not.toHaveProperty('idempotent-replayed');
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, payments: ['succeeded'] });
  });
});
