import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool, type PoolClient, type QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll } from 'vitest';
import { IdempotencyRecords1780000000000 } from '../src/idempotency.migration.js';
import { DEFAULT_IDEMPOTENCY_OPTIONS, type IdempotencyOptions } from '../src/idempotency.options.js';
import { IdempotencyService } from '../src/idempotency.service.js';
import { IdempotencySweeper } from '../src/idempotency.sweeper.js';

/** What one process of an app holds. */
export interface AppParts {
  dataSource: DataSource;
  idempotency: IdempotencyService;
  sweeper: IdempotencySweeper;
}

/** How an app is set up; `url` goes around the database's own address, `poolSize` is 10 when left out. */
export interface AppOptions extends Partial<IdempotencyOptions> {
  url?: string;
  poolSize?: number;
}

const POLL_EVERY_MS = 10;

/** On a machine that is busy with other things, no test may run into a timeout that it is not about. */
const PATIENCE = { lockTimeoutMs: 30_000, statementTimeoutMs: 30_000, idleTimeoutMs: 30_000 };

/** A database of its own for one test file. */
export class TestDatabase {
  readonly name = `idempotency_test_${randomUUID().replaceAll('-', '')}`;
  readonly url = databaseUrl(this.name);
  readonly #pool = new Pool({ connectionString: this.url, max: 4 });
  readonly #dataSources: DataSource[] = [];
  readonly #held = new Set<PoolClient>();
  #app: AppParts | undefined;

  /** An app for tests that need no special one. */
  get app(): AppParts {
    if (this.#app === undefined) throw new Error('The database is not open.');
    return this.#app;
  }

  /** Makes it, without any table. */
  async create(): Promise<void> {
    this.#pool.on('error', () => undefined);
    await onServer(`create database ${this.name}`);
  }

  /** Makes it, with the records and with one table for the effects of works. */
  async open(): Promise<void> {
    await this.create();
    this.#app = await this.connectApp();
    await this.#app.dataSource.runMigrations();
    await this.sql('create table effects (id bigint generated always as identity, key text not null)');
  }

  async close(): Promise<void> {
    await Promise.all(this.#dataSources.map((dataSource) => dataSource.destroy()));
    for (const client of this.#held) client.release(true);
    await this.#pool.end();
    await onServer(`drop database ${this.name} with (force)`);
  }

  /** Runs SQL beside every app. */
  async sql<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, values)).rows;
  }

  /** Repeats a query until it returns something. */
  async untilSome<Row extends QueryResultRow>(text: string): Promise<Row[]> {
    for (;;) {
      const rows = await this.sql<Row>(text);
      if (rows.length > 0) return rows;
      await sleep(POLL_EVERY_MS);
    }
  }

  /** Resolves once no app has a transaction open: a backend whose client is gone needs a moment to notice. */
  async allTransactionsEnded(): Promise<void> {
    await this.untilSome(
      `select 1 where not exists (
         select from pg_stat_activity
          where datname = current_database() and application_name = 'app' and xact_start is not null)`,
    );
  }

  /** Runs SQL in a transaction that stays open, with its locks, until `letGo`. */
  async hold(text: string, values: unknown[] = []): Promise<{ letGo: () => Promise<void> }> {
    const client = await this.#pool.connect();
    this.#held.add(client);
    await client.query('begin');
    await client.query(text, values);
    return {
      letGo: async () => {
        await client.query('rollback');
        this.#held.delete(client);
        client.release();
      },
    };
  }

  /** An app with a connection pool of its own, as each process has one. */
  async connectApp({ url = this.url, poolSize = 10, ...options }: AppOptions = {}): Promise<AppParts> {
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      poolSize,
      applicationName: 'app',
      installExtensions: false,
      migrations: [IdempotencyRecords1780000000000],
      poolErrorHandler: () => undefined,
    });
    this.#dataSources.push(await dataSource.initialize());
    const complete = { ...DEFAULT_IDEMPOTENCY_OPTIONS, ...PATIENCE, ...options };
    return {
      dataSource,
      idempotency: new IdempotencyService(dataSource, complete),
      sweeper: new IdempotencySweeper(dataSource, complete),
    };
  }

  /** How often the work of a key took effect. */
  async effects(key: string): Promise<number> {
    const [row] = await this.sql<{ count: number }>('select count(*)::int from effects where key = $1', [
      key,
    ]);
    return row?.count ?? 0;
  }

  /** Every record of a key, over all tenants, as the database holds it. */
  records(key: string): Promise<QueryResultRow[]> {
    return this.sql('select * from idempotency_records where key = $1 order by tenant_id', [key]);
  }

  /** Moves the end of a record's retention into the past. */
  async expire(key: string): Promise<void> {
    await this.sql(
      `update idempotency_records set expires_at = clock_timestamp() - interval '1 millisecond' where key = $1`,
      [key],
    );
  }
}

/** Gives the test file its database, and drops it afterwards. */
export function useTestDatabase(): TestDatabase {
  const database = new TestDatabase();
  beforeAll(() => database.open());
  afterAll(() => database.close());
  return database;
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function databaseUrl(name: string): string {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${name}`;
  return url.href;
}
