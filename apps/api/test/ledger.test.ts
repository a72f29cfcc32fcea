import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMigrations } from './api-process.js';
import { useShop } from './shop.js';

const shop = useShop();
let runRole: Client;

beforeAll(async () => {
  // What a role may do with a database is not copied from a template. Migrating again changes nothing else.
  await runMigrations(shop.databaseUrls);
  runRole = new Client({ connectionString: shop.databaseUrls.run });
  await runRole.connect();
  const shopper = await shop.newShopper();
  await shopper.pay(await shopper.order(), { key: randomUUID() });
});
afterAll(() => runRole.end());

const NOT_ALLOWED = '42501';

describe('the role that the API runs as', () => {
  it.each([
    'update ledger_entries set amount_minor = 1',
    'delete from ledger_entries',
    'truncate ledger_entries',
    'alter table ledger_entries disable trigger all',
    'drop trigger ledger_entries_insert_only on ledger_entries',
    'create table more (id integer)',
    'create temporary table ledger_entries (id integer)',
    'create schema more',
    'create function more() returns integer language sql as $$ select 1 $$',
    'alter table payments drop constraint payments_pkey',
    'drop index payments_one_per_order',
    'drop table payments',
    'delete from payments',
    'delete from orders',
    'delete from order_items',
    'delete from balances',
    'delete from sandboxes',
    'update concerts set amount_minor = 1',
    'insert into migrations (timestamp, name) values (1, $$x$$)',
    'set session_replication_role = replica',
  ])('cannot %s', async (sql) => {
    await expect(runRole.query(sql)).rejects.toMatchObject({ code: NOT_ALLOWED });
  });

  it('is no superuser and owns nothing', async () => {
    const { rows } = await runRole.query(
      `select rolsuper, rolcreatedb, rolcreaterole, rolbypassrls,
              (select count(*)::integer from pg_class where relowner = pg_roles.oid) as owned
         from pg_roles where rolname = current_user`,
    );
    expect(rows).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false, owned: 0 },
    ]);
  });
});

describe('a ledger entry', () => {
  it.each(['update ledger_entries set amount_minor = 1', 'delete from ledger_entries'])(
    'stays as it was written even when the owner of the table says "%s"',
    async (sql) => {
      await expect(shop.sql(sql)).rejects.toThrow('ledger entries are written once');
    },
  );

  it('moves money between two accounts, so that all accounts together hold none', async () => {
    const shopper = await shop.newShopper();
    await shopper.pay(await shopper.order(), { key: randomUUID() });
    await shopper.setBalance(5);
    const accounts = await shop.sql<{ account: string; amountMinor: number }>(
      `select account, sum(amount)::float as "amountMinor" from (
         select debit_account as account, amount_minor as amount from ledger_entries where sandbox_id = $1
         union all
         select credit_account, -amount_minor from ledger_entries where sandbox_id = $1) as sides
       group by account order by account`,
      [shopper.sandboxId],
    );
    expect(accounts).toEqual([
      { account: 'outside', amountMinor: -35_000_005 },
      { account: 'shop', amountMinor: 35_000_000 },
      { account: 'shopper', amountMinor: 5 },
    ]);
    expect(await shop.recorded(shopper)).toMatchObject({ balanceMinor: 5, booksMinor: 5 });
  });

  it.each([
    ['of a payment that has its charge', `'charge', 'shop', 'shopper', 1, id`],
    ['of no payment, for a charge', `'charge', 'shop', 'shopper', 1, null`],
    ['from an account to itself', `'funding', 'shopper', 'shopper', 1, null`],
    ['of nothing', `'funding', 'shopper', 'outside', 0, null`],
    ['of less than nothing', `'funding', 'shopper', 'outside', -1, null`],
  ])('%s is refused by the table itself', async (_name, values) => {
    const entry = `insert into ledger_entries
        (sandbox_id, currency, kind, debit_account, credit_account, amount_minor, payment_id)
      select sandbox_id, currency, ${values} from payments limit 1`;
    await expect(runRole.query(entry)).rejects.toMatchObject({
      code: expect.stringMatching(/^(23505|23514)$/),
    });
  });
});

describe('a balance', () => {
  it('cannot fall below zero or rise above the largest amount', async () => {
    for (const amountMinor of [-1, 10 ** 13 + 1]) {
      await expect(runRole.query('update balances set amount_minor = $1', [amountMinor])).rejects.toThrow(
        'balances_never_negative',
      );
    }
  });
});
