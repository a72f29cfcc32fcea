import { randomUUID } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, inject, vi } from 'vitest';
import { type ApiProcess, startApi } from './api-process.js';
import { DatabaseWire } from './database-wire.js';
import { createDatabase, databaseUrls, dropDatabase } from './postgres-cluster.js';
import { Shopper } from './shopper.js';

/** Limits so high that only a test about limits runs into one, and a log of what went wrong only. */
const TEST_SETTINGS = {
  SANDBOX_REQUESTS_MAX: '1000000',
  ADDRESS_SANDBOXES_MAX: '1000000',
  LOG_LEVEL: 'error',
};

/** What the database holds about one sandbox, asked for by SQL and not through the API. */
export interface Recorded {
  balanceMinor: number;
  /** What the ledger says the balance is. */
  booksMinor: number;
  chargedMinor: number;
  charges: number;
  /** The status of each payment, oldest first. */
  payments: string[];
  ordersPaid: number;
  /** The keys of the sandbox's idempotency records. */
  keys: string[];
}

/** A shop of its own for one test file: a fresh database, and an API process that reaches it over a wire. */
export class Shop {
  readonly databaseName = `pay_once_test_${randomUUID().replaceAll('-', '')}`;
  /** How the database is reached by its owner and by the API, past the wire. */
  readonly databaseUrls = databaseUrls(this.databaseName);
  #shoppers: Shopper[] = [];
  readonly #apis: ApiProcess[] = [];
  readonly #lockers = new Set<PoolClient>();
  #opened: { pool: Pool; wire: DatabaseWire } | undefined;

  /** `env` is for every API process of this shop. */
  constructor(private readonly env: Record<string, string>) {}

  /** Where the first API process listens. */
  get url(): string {
    const [api] = this.#apis;
    if (api === undefined) throw new Error('The shop is not open.');
    return api.url;
  }

  /** What is between every API process and the database. */
  get wire(): DatabaseWire {
    return this.opened.wire;
  }

  /** `env` is for every API process, beside that of the constructor. */
  async open(env: Record<string, string> = {}): Promise<void> {
    Object.assign(this.env, env);
    await createDatabase(this.databaseName, inject('templateDatabase'));
    const pool = new Pool({ connectionString: this.databaseUrls.owner });
    pool.on('error', () => undefined);
    this.#opened = { pool, wire: await DatabaseWire.lay(this.databaseUrls.run) };
    await this.startApi();
  }

  async close(): Promise<void> {
    await Promise.all(this.#apis.map((api) => api.kill()));
    await this.#opened?.wire.remove();
    await this.#opened?.pool.end();
    await dropDatabase(this.databaseName);
  }

  /** One more API process on the same database; it ends with the shop. */
  async startApi(env: Record<string, string> = {}): Promise<ApiProcess> {
    const api = await startApi({ DATABASE_URL: this.wire.url, ...TEST_SETTINGS, ...this.env, ...env });
    this.#apis.push(api);
    return api;
  }

  async newShopper(url = this.url): Promise<Shopper> {
    const shopper = await Shopper.arrive(url);
    this.#shoppers.push(shopper);
    return shopper;
  }

  /** Runs SQL as the owner of the database. */
  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.opened.pool.query<Row>(text, values)).rows;
  }

  async recorded({ sandboxId }: Shopper): Promise<Recorded> {
    const [row] = await this.sql<Recorded>(RECORDED, [sandboxId]);
    if (row === undefined) throw new Error('There is no such sandbox.');
    return row;
  }

  /**
   * Holds the next payment that is about to take the money, with its key claimed and its order locked, until
   * `letGo`. Resolves when it has come so far: start the payment, then wait.
   */
  holdNextPayment(): Promise<void> {
    return this.wire.holdNext(/^update balances/i);
  }

  /** Locks the sandbox's balance, as a slow transaction would, until `letGo`. */
  async lockBalance({ sandboxId }: Shopper): Promise<void> {
    const client = await this.opened.pool.connect();
    this.#lockers.add(client);
    await client.query('begin');
    await client.query('select from balances where sandbox_id = $1 for update', [sandboxId]);
  }

  /** Ends every hold and every lock. */
  letGo(): void {
    this.wire.letGo();
    for (const client of this.#lockers) client.release(true);
    this.#lockers.clear();
  }

  /** Counts again and again, until `requests` are answered, how many of the API's statements wait for a row or a key. */
  async mostWaitingDuring(requests: Promise<unknown>): Promise<number> {
    let isAnswered = false;
    const answered = requests.finally(() => {
      isAnswered = true;
    });
    let most = 0;
    while (!isAnswered) {
      const [row] = await this.sql<{ count: number }>(
        `select count(*)::integer from pg_stat_activity
          where datname = current_database() and application_name = 'api'
            and wait_event_type = 'Lock' and wait_event in ('advisory', 'transactionid', 'tuple')`,
      );
      most = Math.max(most, row?.count ?? 0);
    }
    await answered;
    return most;
  }

  /** What to know when a test has failed: who asked what since the last call, and what the API wrote. */
  takeReport(): string {
    const journals = this.#shoppers.map(({ sandboxId, journal }) =>
      [`sandbox ${sandboxId}`, ...journal.slice(-60)].join('\n  '),
    );
    this.#shoppers = [];
    return [...journals, ...this.#apis.map((api) => `API:\n${api.output().slice(-2000)}`)].join('\n');
  }

  private get opened(): { pool: Pool; wire: DatabaseWire } {
    if (this.#opened === undefined) throw new Error('The shop is not open.');
    return this.#opened;
  }
}

const RECORDED = `
  select balances.amount_minor::float as "balanceMinor",
         (select coalesce(sum(case when debit_account = 'shopper' then amount_minor else 0 end)
                        - sum(case when credit_account = 'shopper' then amount_minor else 0 end), 0)::float
            from ledger_entries where sandbox_id = $1) as "booksMinor",
         (select coalesce(sum(amount_minor), 0)::float from ledger_entries
           where sandbox_id = $1 and kind = 'charge') as "chargedMinor",
         (select count(*)::integer from ledger_entries where sandbox_id = $1 and kind = 'charge') as charges,
         array(select status from payments where sandbox_id = $1 order by created_at) as payments,
         (select count(*)::integer from orders where sandbox_id = $1 and status = 'paid') as "ordersPaid",
         array(select key from idempotency_records where tenant_id = $1::text order by created_at) as keys
    from balances where sandbox_id = $1`;

/** Opens a shop before the file's tests and closes it after them. */
export function useShop(env: Record<string, string> = {}): Shop {
  const shop = new Shop(env);
  beforeAll(() => shop.open());
  afterEach(({ task }) => {
    shop.letGo();
    const report = shop.takeReport();
    if (task.result?.state === 'fail') console.error(`${task.name}\n${report}`);
  });
  afterAll(() => shop.close());
  return shop;
}

/** Resolves when the condition holds; asks again and again, because nothing announces it. */
export async function until(condition: () => Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const holds = async (): Promise<void> => {
    if (!(await condition())) throw new Error(`Still not so: ${condition}`);
  };
  await vi.waitFor(holds, { interval: 10, timeout: timeoutMs });
}
