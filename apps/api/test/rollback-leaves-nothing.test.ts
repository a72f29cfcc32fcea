import { randomUUID } from 'node:crypto';
import { paymentSchema, type TestCard } from '@pay-once/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ArmedFault } from './card-network-process.js';
import { useCardShop } from './card-shop.js';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { cardPayment, type Shopper } from './shopper.js';

/**
 * How often the network does something else than it is asked for: for a payment and for a refund, once to watch, and for
 * each of two writes in three ways.
 */
const OTHER_AMOUNTS = 2 * (1 + 2 * 3);

const shop = useCardShop({
  differences: ['another amount', 'another status'].flatMap((one) => Array<string>(OTHER_AMOUNTS).fill(one)),
});

/** One kind of write: an operation on a table. */
interface Write {
  table: string;
  operation: 'INSERT' | 'UPDATE' | 'DELETE';
}

type Send = (key: string) => Promise<Reply>;

interface KeyedTransaction {
  name: string;
  /** Makes what has to be there before; returns how to send the request. */
  prepare: (shopper: Shopper) => Promise<Send>;
  /** Which of the request's transactions it is. */
  which: 'only' | 'first' | 'second';
  /** The tables that it writes to. */
  tables: string[];
  /** What is there when it was done once: one charge of one paid order, unless it says otherwise. */
  once: Partial<Once>;
}

interface Once {
  status: number;
  charges: number;
  ordersPaid: number;
  refunds: number;
  atNetwork: number;
  keys: number;
}

const ONE_CHARGE: Once = { status: 201, charges: 1, ordersPaid: 1, refunds: 0, atNetwork: 0, keys: 1 };

async function balanceSend(shopper: Shopper): Promise<Send> {
  const order = await shopper.order();
  return (key) => shopper.pay(order, { key });
}

function sendBy(card: TestCard): (shopper: Shopper) => Promise<Send> {
  return async (shopper) => {
    const order = await shopper.order();
    return (key) => shopper.pay(order, { key, body: cardPayment(order, card) });
  };
}

const cardSend = sendBy('card_visa_approved');

/** A refund to the card that the network answers like this. */
function cardRefundSend(fault?: ArmedFault['fault']): (shopper: Shopper) => Promise<Send> {
  return async (shopper) => {
    const send = await refundSend(shopper, cardSend);
    if (fault !== undefined) await shop.network.arm({ fault, on: 'refunds' });
    return send;
  };
}

async function refundSend(shopper: Shopper, payWith = balanceSend): Promise<Send> {
  const pay = await payWith(shopper);
  const { id } = paymentSchema.parse(JSON.parse((await pay(randomUUID())).text));
  return (key) =>
    shopper.send('POST', `/api/payments/${id}/refunds`, {
      headers: { 'idempotency-key': key },
      body: { amountMinor: 2 },
    });
}

const TRANSACTIONS: KeyedTransaction[] = [
  {
    name: 'a payment from the balance',
    prepare: balanceSend,
    which: 'only',
    tables: [
      'balances',
      'concert_seats',
      'idempotency_records',
      'ledger_entries',
      'orders',
      'payments',
      'the queue',
    ],
    once: {},
  },
  {
    name: 'the first transaction of a payment by card',
    prepare: cardSend,
    which: 'first',
    tables: ['concert_seats', 'idempotency_records', 'orders', 'payments'],
    once: { atNetwork: 1 },
  },
  {
    name: 'the second transaction of a payment by card',
    prepare: cardSend,
    which: 'second',
    tables: ['idempotency_records', 'ledger_entries', 'orders', 'payments', 'the queue'],
    once: { atNetwork: 1 },
  },
  {
    name: 'a refund to the balance',
    prepare: (shopper) => refundSend(shopper),
    which: 'only',
    tables: ['balances', 'idempotency_records', 'ledger_entries', 'payments', 'refunds'],
    once: { refunds: 1, keys: 2 },
  },
  {
    name: 'the second transaction of a payment by a card that is declined',
    prepare: sendBy('card_declined'),
    which: 'second',
    tables: ['concert_seats', 'idempotency_records', 'orders', 'payments'],
    once: { status: 402, charges: 0, ordersPaid: 0, atNetwork: 1 },
  },
  {
    name: 'the second transaction of a payment by card that ends as needs_review',
    prepare: sendBy('card_wrong_amount'),
    which: 'second',
    tables: ['idempotency_records', 'payments'],
    once: { status: 202, charges: 0, ordersPaid: 0, atNetwork: 1 },
  },
  {
    name: 'the first transaction of a refund to a card',
    prepare: cardRefundSend(),
    which: 'first',
    tables: ['idempotency_records', 'payments', 'refunds'],
    once: { refunds: 1, atNetwork: 1, keys: 2 },
  },
  {
    name: 'the second transaction of a refund to a card',
    prepare: cardRefundSend(),
    which: 'second',
    tables: ['idempotency_records', 'ledger_entries', 'refunds'],
    once: { refunds: 1, atNetwork: 1, keys: 2 },
  },
  {
    name: 'the second transaction of a refund that the network refuses',
    prepare: cardRefundSend('decline'),
    which: 'second',
    tables: ['idempotency_records', 'payments', 'refunds'],
    once: { status: 402, atNetwork: 1, keys: 2 },
  },
  {
    name: 'the second transaction of a refund to a card that ends as needs_review',
    prepare: cardRefundSend('wrong_amount'),
    which: 'second',
    tables: ['idempotency_records', 'refunds'],
    once: { status: 202, atNetwork: 1, keys: 2 },
  },
];

/** The table of every row, the queue's included. */
async function tables(): Promise<string[]> {
  const rows = await shop.sql<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind = 'r'
      order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The content of every table as one text, to compare. Who may go on with a record, and when, is no content. */
async function everyRow(): Promise<string> {
  const contents = (await tables()).map(async (table) => {
    const rows = await shop.sql<{ row: string }>(
      `select (to_jsonb(t) - 'lease_expires_at')::text as row from ${table} t order by 1`,
    );
    return [table, ...rows.map(({ row }) => row)].join('\n');
  });
  return (await Promise.all(contents)).join('\n\n');
}

beforeAll(async () => {
  await shop.sql(`
    create schema watch;
    grant usage on schema watch to public;
    create table watch.writes ("table" text, operation text, transaction bigint default txid_current());
    create function watch.note() returns trigger language plpgsql security definer as $$
      begin insert into watch.writes values (tg_relid::regclass::text, tg_op); return null; end $$;
    create function watch.fail() returns trigger language plpgsql as $$
      begin raise exception 'made to fail' using errcode = tg_argv[0]; end $$`);
});

/** Finds out what the transaction writes, by watching it once. */
async function watch({ prepare, which, once }: KeyedTransaction): Promise<Write[]> {
  const send = await prepare(await shop.newShopper());
  const watched = await tables();
  await shop.sql('truncate watch.writes');
  for (const table of watched) {
    await shop.sql(`create trigger watch after insert or update or delete on ${table}
      for each row execute function watch.note()`);
  }
  expect((await send(randomUUID())).status).toBe(once.status ?? ONE_CHARGE.status);
  for (const table of watched) await shop.sql(`drop trigger watch on ${table}`);
  const ids = await shop.sql<{ id: string }>(
    'select distinct transaction as id from watch.writes order by 1',
  );
  expect(ids).toHaveLength(which === 'only' ? 1 : 2);
  return shop.sql<Write>('select distinct "table", operation from watch.writes where transaction = $1', [
    ids[which === 'second' ? 1 : 0]?.id,
  ]);
}

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
  // A record is updated to give its lease back, too, when the transaction has failed already.
  const only =
    `${operation} of ${table}` === 'UPDATE of idempotency_records' ? `when (new.state = 'completed')` : '';
  await shop.sql(`create ${kind} broken ${phase} ${operation} on ${table} ${deferred}
    for each row ${only} execute function watch.fail('${sqlState}')`);
}

async function repair({ table }: Write): Promise<void> {
  await shop.sql(`drop trigger if exists broken on ${table}`);
}

/** What a payment or a refund by card sends between its transactions, before it asks the network. */
const BETWEEN = /from (payments|refunds) where operation_id/i;

describe.each(TRANSACTIONS)('$name', (transaction) => {
  const { prepare, which } = transaction;
  const once = { ...ONE_CHARGE, ...transaction.once };
  let writes: Write[];

  beforeAll(async () => {
    writes = await watch(transaction);
  });

  it('writes all that belongs together', () => {
    const names = writes.map(({ table }) => (table.startsWith('pgboss.') ? 'the queue' : table));
    expect([...new Set(names)].sort()).toEqual(transaction.tables);
  });

  it.each(['before', 'after', 'at commit'] as const)(
    'that fails %s a write leaves every table as it was, and the same key then does it once',
    async (when) => {
      for (const write of writes) {
        const shopper = await shop.newShopper();
        const send = await prepare(shopper);
        const key = randomUUID();
        const where = `${when} ${write.operation} of ${write.table}`;
        const { length: atNetwork } = await shop.network.operations();
        const { before, failed } = await failAt(write, when, () => send(key)).finally(() => repair(write));

        expect(expectProblem(failed, 'internal').retry, where).toBe('same_key');
        expect(failed.headers['operation-id']).toMatch(/^[0-9a-f-]{36}$/);
        expect(failed.headers).not.toHaveProperty('idempotency-expires');
        expect(await everyRow(), where).toBe(before);
        // Nobody outside hears of what was not committed first.
        expect(await shop.network.operations(), where).toHaveLength(atNetwork + (which === 'second' ? 1 : 0));

        const done = await send(key);
        expect(done.headers, where).not.toHaveProperty('idempotent-replayed');
        const { charges, ordersPaid, keys } = await shop.recorded(shopper);
        const refunds = (await shopper.summary()).refunds.count;
        const operations = (await shop.network.operations()).length - atNetwork;
        expect(
          { status: done.status, charges, ordersPaid, keys: keys.length, refunds, atNetwork: operations },
          where,
        ).toEqual(once);
      }
    },
  );

  /** Sends with the write broken; `before` is what was there when the transaction began. */
  async function failAt(
    write: Write,
    when: 'before' | 'after' | 'at commit',
    send: () => Promise<Reply>,
  ): Promise<{ before: string; failed: Reply }> {
    if (which !== 'second') {
      const before = await everyRow();
      await breakWrite(write, when, INTERNAL_SQLSTATE);
      return { before, failed: await send() };
    }
    const reached = shop.wire.holdNext(BETWEEN);
    const sending = send();
    await reached;
    // What the first one has committed stays.
    const before = await everyRow();
    await breakWrite(write, when, INTERNAL_SQLSTATE);
    shop.letGo();
    return { before, failed: await sending };
  }
});

describe('a database that says it cannot', () => {
  it.each([
    ['is out of disk', OUT_OF_DISK_SQLSTATE],
    ['sees a conflict every time', SERIALIZATION_SQLSTATE],
  ])('because it %s gives 503 and leaves every table as it was', async (_reason, sqlState) => {
    const send = await balanceSend(await shop.newShopper());
    const key = randomUUID();
    const before = await everyRow();
    const write: Write = { table: 'ledger_entries', operation: 'INSERT' };
    await breakWrite(write, 'at commit', sqlState);
    const failed = await send(key);
    await repair(write);
    expect(expectProblem(failed, 'unavailable').retry).toBe('same_key');
    expect(await everyRow()).toBe(before);
    expect((await send(key)).status).toBe(201);
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
