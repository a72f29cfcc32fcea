import { expect } from '@playwright/test';
import pg from 'pg';

/** What the database says about one order and its sandbox. Amounts are in minor units, lists in the order of time. */
export interface Books {
  payments: string[];
  charges: number[];
  /** Statuses of the answers that are stored under the sandbox's keys. */
  answers: number[];
  unfinishedKeys: number;
  /** What the balance has more or less than the ledger accounts for. */
  unaccounted: number;
}

/** Reads the tables themselves: what the API answers could be wrong in the same way as what it did. */
export class Ledger {
  private constructor(private readonly pool: pg.Pool) {}

  static open(): Ledger {
    const connectionString = process.env['TEST_DATABASE_URL'];
    if (connectionString === undefined)
      throw new Error('TEST_DATABASE_URL is not set. Start with `npm run e2e`.');
    return new Ledger(new pg.Pool({ connectionString, max: 4 }));
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  async read(sandboxId: string, orderId: string): Promise<Books> {
    // Whoever is in the middle of paying holds this row: the answer is from after that.
    await this.pool.query('select from orders where sandbox_id = $1 and id = $2 for update', [
      sandboxId,
      orderId,
    ]);
    const { rows } = await this.pool.query<Omit<Books, 'charges'> & { charges: string[] }>(
      `select
         array(select status from payments where sandbox_id = $1 and order_id = $2 order by created_at) as payments,
         array(select amount_minor::text from ledger_entries
                where sandbox_id = $1 and kind = 'charge' order by created_at) as charges,
         array(select response_status from idempotency_records
                where tenant_id = $1::text and state = 'completed' order by completed_at) as answers,
         (select count(*)::int from idempotency_records
           where tenant_id = $1::text and state <> 'completed') as "unfinishedKeys",
         (select amount_minor from balances where sandbox_id = $1)::int8::float8
           - (select sum(case 'shopper' when debit_account then amount_minor when credit_account then -amount_minor else 0 end)
                from ledger_entries where sandbox_id = $1)::float8 as unaccounted`,
      [sandboxId, orderId],
    );
    const [books] = rows;
    if (books === undefined) throw new Error('The books cannot be read.');
    return { ...books, charges: books.charges.map(Number) };
  }

  /**
   * Does something while a payment of this sandbox is stopped in the middle of its transaction, for want of the balance.
   * `stopped` resolves once one is. The server gives up waiting after 2 s.
   */
  async whileBalanceIsHeld(
    sandboxId: string,
    meanwhile: (stopped: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ pid: number }>(
        'select pg_backend_pid() as pid from balances where sandbox_id = $1 for update',
        [sandboxId],
      );
      const waiting = async () =>
        this.pool.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [rows[0]?.pid]);
      await meanwhile(() => expect.poll(async () => (await waiting()).rowCount).toBe(1));
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  /**
   * Gives money back to a card while no other test does, not even one of another run on this database. The network is
   * told what to do with the next refund, and cannot be told whose.
   */
  async refundAlone(refund: () => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('select pg_advisory_lock(hashtext($1))', ['a refund to a card']);
      await refund();
    } finally {
      // With the connection goes the lock.
      client.release(true);
    }
  }

  /** What was given back in the sandbox, in minor units. */
  async refunds(sandboxId: string): Promise<number[]> {
    const { rows } = await this.pool.query<{ amountMinor: number }>(
      `select amount_minor::float8 as "amountMinor" from ledger_entries
        where sandbox_id = $1 and kind = 'refund' order by created_at`,
      [sandboxId],
    );
    return rows.map(({ amountMinor }) => amountMinor);
  }

  /** Payments and refunds of all sandboxes that were begun before `instant` and still have no end. */
  async unsettledBefore(instant: Date): Promise<string[]> {
    return this.ids(
      `select id from payments where status = 'processing' and created_at < $1
       union all select id from refunds where status = 'processing' and created_at < $1`,
      [instant],
    );
  }

  /** Payments of all sandboxes with the cards for which the network does something else than it was asked. */
  async spoilt(which: 'all' | 'settled'): Promise<string[]> {
    return this.ids(
      `select id from payments
        where card in ('card_wrong_amount', 'card_wrong_currency') and ($1 = 'all' or status <> 'processing')`,
      [which],
    );
  }

  private async ids(query: string, values: unknown[]): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(query, values);
    return rows.map(({ id }) => id);
  }

  /** The messages that the sandbox sent by the contact form. */
  async messages(sandboxId: string): Promise<{ name: string; email: string; text: string }[]> {
    const { rows } = await this.pool.query(
      'select name, email, text from messages where sandbox_id = $1 order by created_at',
      [sandboxId],
    );
    return rows;
  }

  /** A refund comes to where only a person can settle it. */
  async doubtRefund(refundId: string): Promise<void> {
    await this.pool.query(
      `update refunds set status = 'needs_review', review_reason = 'A test has made it so.' where id = $1`,
      [refundId],
    );
  }

  /** The shop changes what an unpaid order costs, behind the page's back. */
  async reprice(sandboxId: string, orderId: string, amountMinor: number): Promise<void> {
    await this.pool.query('update orders set amount_minor = $3 where sandbox_id = $1 and id = $2', [
      sandboxId,
      orderId,
      amountMinor,
    ]);
  }
}
