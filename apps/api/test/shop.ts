import { randomUUID } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, inject, vi } from 'vitest';
import { type ApiProcess, startApi } from './api-process.js';
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

/** Environment variables of every API process of a shop; a function, when they depend on its database. */
type Settings = Record<string, string> | ((shop: Shop) => Promise<Record<string, string>>);

/** A shop of its own for one test file: a fresh database and an API process in front of it. */
export class Shop {
  readonly databaseName = `pay_once_test_${randomUUID().replaceAll('-', '')}`;
  #shoppers: Shopper[] = [];
  readonly #apis: ApiProcess[] = [];
  readonly #held = new Set<PoolClient>();
  #pool: Pool | undefined;
  #env: Record<string, string> = {};

  constructor(private readonly settings: Settings) {}

  /** Where the first API process listens. */
  get url(): string {
    const [api] = this.#apis;
    if (api === undefined) throw new Error('The shop is not open.');
    return api.url;
  }

  /** How the database is reached by its owner and by the API. */
  get databaseUrls(): { owner: string; run: string } {
    return databaseUrls(this.databaseName);
  }

  async open(): Promise<void> {
    await createDatabase(this.databaseName, inject('templateDatabase'));
    this.#pool = new Pool({ connectionString: this.databaseUrls.owner });
    this.#pool.on('error', () => undefined);
    this.#env = typeof this.settings === 'function' ? await this.settings(this) : this.settings;
    await this.startApi();
  }

  async close(): Promise<void> {
    await Promise.all(this.#apis.map((api) => api.kill()));
    this.letGo();
    await this.#pool?.end();
    await dropDatabase(this.databaseName);
  }

  /** One more API process on the same database; it ends with the shop. */
  async startApi(env: Record<string, string> = {}): Promise<ApiProcess> {
    const api = await startApi({
      DATABASE_URL: this.databaseUrls.run,
      ...TEST_SETTINGS,
      ...this.#env,
      ...env,
    });
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
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** Runs SQL in a transaction that stays open, with its locks, until `letGo`. */
  async hold(text: string, values: unknown[] = []): Promise<void> {
    const client = await this.pool.connect();
    this.#held.add(client);
    await client.query('begin');
    await client.query(text, values);
  }

  /** Stops every payment of the sandbox in the middle, when it is about to take the money, until `letGo`. */
  async holdBalance({ sandboxId }: Shopper): Promise<void> {
    await this.hold('select from balances where sandbox_id = $1 for update', [sandboxId]);
  }

  /** Ends what `hold` began. Nothing that was done in it stays. */
  letGo(): void {
    for (const client of this.#held) client.release(true);
    this.#held.clear();
  }

  /** Resolves when this many of the API's statements wait for a lock. */
  async untilBlocked(count = 1): Promise<void> {
    await vi.waitFor(async () => {
      if ((await this.blocked()) !== count) throw new Error(`Not ${count} statements wait for a lock.`);
    }, WAIT);
  }

  /** How many of the API's statements wait for a lock right now. */
  async blocked(): Promise<number> {
    const [row] = await this.sql<{ count: number }>(
      `select count(*)::integer from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and application_name = 'api'`,
    );
    return row?.count ?? 0;
  }

  /** Resolves when the condition holds. */
  async until(condition: () => Promise<boolean>): Promise<void> {
    await vi.waitFor(async () => {
      if (!(await condition())) throw new Error(`Still not so: ${condition}`);
    }, WAIT);
  }

  async recorded({ sandboxId }: Shopper): Promise<Recorded> {
    const [row] = await this.sql<Recorded>(RECORDED, [sandboxId]);
    if (row === undefined) throw new Error('There is no such sandbox.');
    return row;
  }

  /** What to know when a test has failed: who asked what since the last call, and what the API wrote. */
  takeReport(): string {
    const journals = this.#shoppers.map(({ sandboxId, journal }) =>
      [`sandbox ${sandboxId}`, ...journal.slice(-60)].join('\n  '),
    );
    this.#shoppers = [];
    return [...journals, ...this.#apis.map((api) => `API:\n${api.output().slice(-2000)}`)].join('\n');
  }

  private get pool(): Pool {
    if (this.#pool === undefined) throw new Error('The shop is not open.');
    return this.#pool;
  }
}

const WAIT = { interval: 10, timeout: 10_000 };

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
export function useShop(settings: Settings = {}): Shop {
  const shop = new Shop(settings);
  beforeAll(() => shop.open());
  afterEach(({ task }) => {
    shop.letGo();
    const report = shop.takeReport();
    if (task.result?.state === 'fail') console.error(`${task.name}\n${report}`);
  });
  afterAll(() => shop.close());
  return shop;
}
