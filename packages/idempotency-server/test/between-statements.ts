import type { DataSource } from 'typeorm';

/** Sends SQL over the connection whose next statement is about to be sent. */
export type SendSql = (sql: string) => Promise<unknown>;

/**
 * Awaits `act` ahead of every statement that the data source sends, and so makes room for something to happen
 * exactly there. When it rejects, the statement is not sent and fails with that.
 */
export function betweenStatements(
  dataSource: DataSource,
  act: (sql: string, send: SendSql) => Promise<void>,
): void {
  const createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const queryRunner = createQueryRunner(mode);
    const query = queryRunner.query.bind(queryRunner);
    queryRunner.query = async (sql: string, ...rest: [unknown[]?]) => {
      await act(sql, query);
      return query(sql, ...rest);
    };
    return queryRunner;
  };
}
