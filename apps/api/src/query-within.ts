import type { DataSource } from 'typeorm';

/** The database did not answer in the time that the asker has. */
export class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError';
}

/**
 * Asks for what somebody waits for only so long, and rejects with `LateAnswerError` after that. The connection is then
 * closed: a database that is silent keeps none of those that payments need.
 */
export async function queryWithin<Row>(dataSource: DataSource, limitMs: number, sql: string): Promise<Row[]> {
  const queryRunner = dataSource.createQueryRunner();
  const connecting: Promise<{ end(): Promise<void> }> = queryRunner.connect();
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new LateAnswerError(`The database did not answer within ${limitMs} ms.`));
    }, limitMs);
  });
  try {
    return await Promise.race([queryRunner.query(sql), late]);
  } finally {
    clearTimeout(timer);
    // Not awaited: it may still be waiting for its turn, and a query runner that is released before never gives it back.
    connecting
      .then((connection) => {
        if (isLate) connection.end().catch(() => undefined);
        return queryRunner.release();
      })
      .catch(() => undefined);
  }
}
