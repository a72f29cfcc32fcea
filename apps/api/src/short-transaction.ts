import type { DataSource, EntityManager } from 'typeorm';

const LOCK_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * A transaction that cannot hold others up for long: whoever waits for a row, or runs, longer than this is ended
 * by Postgres and answered 503. Set for the transaction only, so that it works behind a pooler as well.
 */
export async function inShortTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return dataSource.transaction(async (manager) => {
    await manager.query(
      `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`,
      [String(LOCK_TIMEOUT_MS), String(STATEMENT_TIMEOUT_MS)],
    );
    return work(manager);
  });
}
