import { type DataSource, type EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';

/** The connection was lost while it committed, so nobody can know whether the transaction took effect. */
export class CommitUnknownError extends Error {
  override readonly name = 'CommitUnknownError';
  /** SQLSTATE `transaction_resolution_unknown`. */
  readonly code = '08007';

  constructor(cause: unknown) {
    super('The answer to COMMIT was lost. The same key, sent again, finds out what happened.', { cause });
  }
}

export interface Transaction {
  manager: EntityManager;
  /** Rejects with `CommitUnknownError` when the database did not say whether it committed. */
  commit(): Promise<void>;
  /** Undoes everything. Never rejects. */
  rollBack(): Promise<void>;
}

/**
 * Runs a transaction on a connection of its own; what `run` has not committed is rolled back. After a deadlock or
 * a serialization conflict the database has undone everything, so `run` is called again, `runsMax` times in all.
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  runsMax: number,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await inOneTransaction(dataSource.createQueryRunner(), run);
    } catch (error) {
      if (runs >= runsMax || !CONFLICTS.includes(codeOf(error))) throw error;
    }
  }
}

async function inOneTransaction<T>(
  queryRunner: QueryRunner,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  try {
    await queryRunner.startTransaction();
    return await run({
      manager: queryRunner.manager,
      commit: () => commit(queryRunner),
      rollBack: async () => void (await rollBack(queryRunner)),
    });
  } finally {
    await rollBack(queryRunner);
    await queryRunner.release();
  }
}

async function commit(queryRunner: QueryRunner): Promise<void> {
  try {
    await queryRunner.commitTransaction();
  } catch (error) {
    // The database refused, and undid everything, only if it said so itself and the connection lives on.
    if (codeOf(error) !== '' && (await rollBack(queryRunner))) throw error;
    throw new CommitUnknownError(error);
  }
  // TypeORM has then only released a savepoint: a nested transaction that nobody awaited is still open.
  if (queryRunner.isTransactionActive) throw new Error('The work left a nested transaction open.');
}

/** Rolls back what is still open and returns whether that worked. */
async function rollBack(queryRunner: QueryRunner): Promise<boolean> {
  try {
    while (queryRunner.isTransactionActive) await queryRunner.rollbackTransaction();
    return true;
  } catch {
    // Back in the pool, its next user would commit this half-done work as theirs. Closed, Postgres undoes it.
    const connection: { end(): Promise<void> } | undefined = await queryRunner
      .connect()
      .catch(() => undefined);
    connection?.end().catch(() => undefined);
    return false;
  }
}

/** Serialization failure and deadlock, by their SQLSTATE. */
const CONFLICTS = ['40001', '40P01'];

/** The SQLSTATE that the database answered; empty when the error is not the database's word. */
function codeOf(error: unknown): string {
  if (!(error instanceof QueryFailedError)) return '';
  const { code, severity } = error.driverError as { code?: string; severity?: string };
  return severity === undefined || code === undefined ? '' : code;
}
