import type { DataSource } from 'typeorm';
import { queryWithin } from '../query-within.js';

/** What the database knows better than any process: each is one number. */
export const READINGS = [
  {
    name: 'idempotency_oldest_unfinished_seconds',
    help: 'Age of the oldest record in progress; old means that recovery is stuck',
    sql: `select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)
            from idempotency_records where state = 'in_progress'`,
  },
  {
    name: 'payments_needing_a_person',
    help: 'Payments and refunds whose outcome no machine may settle',
    sql: `select (select count(*) from payments where status = 'needs_review')
               + (select count(*) from refunds where status = 'needs_review')`,
  },
  {
    name: 'reconciliation_differences',
    help: 'What the card network has on record otherwise than we; each is a row of the table of this name',
    sql: 'select count(*) from reconciliation_differences',
  },
  {
    name: 'jobs_parked',
    help: 'Jobs that were tried too often and wait for a person: npm run jobs',
    sql: `select count(*) from pgboss.job where state = 'failed'`,
  },
] as const;

/** By the name of the reading; numbers as Postgres writes them. */
export type Readings = Record<(typeof READINGS)[number]['name'], string>;

/** Whoever scrapes gives up some seconds later. */
const ANSWER_WITHIN_MS = 1_500;
/** However many scrape and however often: payments need the connections and the database more. */
const REMEMBERED_MS = 1_000;

/** Reads them all in one query. */
export class DatabaseReadings {
  #readings: Promise<Readings | undefined> | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** What was read within the last second, or is being read; undefined when the database did not answer in time. */
  take(): Promise<Readings | undefined> {
    this.#readings ??= this.#read();
    return this.#readings;
  }

  async #read(): Promise<Readings | undefined> {
    const columns = READINGS.map(({ name, sql }) => `(${sql}) as ${name}`);
    try {
      const [row] = await queryWithin<Readings>(
        this.dataSource,
        ANSWER_WITHIN_MS,
        `select ${columns.join(', ')}`,
      );
      return row;
    } catch {
      return undefined;
    } finally {
      const forget = (): void => {
        this.#readings = undefined;
      };
      setTimeout(forget, REMEMBERED_MS).unref();
    }
  }
}
