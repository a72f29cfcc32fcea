import { IdempotencyRecords1780000000000 } from '@pay-once/idempotency-server';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { MailEntity } from './mails/mail.entity.js';
import { Record1780000001000 } from './migrations/1780000001000-record.js';
import { OperationEntity } from './operations/operation.entity.js';

/** Every migration, oldest first. */
const MIGRATIONS = [IdempotencyRecords1780000000000, Record1780000001000];

const CONNECTION_WAIT_MS = 3_000;

export function dataSourceOptions(connection: {
  url: string;
  poolMax: number;
  name: string;
  waitMs?: number;
}): DataSourceOptions {
  return {
    type: 'postgres',
    url: connection.url,
    applicationName: connection.name,
    entities: [OperationEntity, MailEntity],
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    poolSize: connection.poolMax,
    connectTimeoutMS: connection.waitMs ?? CONNECTION_WAIT_MS,
    // A connection that dies while idle is replaced by the pool; without a handler it would end the process.
    poolErrorHandler: () => undefined,
  };
}

/** Rejects when the schema is not the one that this build was made for. Reads only: the run role has no DDL. */
export async function requireMigrations(dataSource: DataSource): Promise<void> {
  const rows: { name: string }[] = await dataSource.query('select name from migrations');
  const done = new Set(rows.map((row) => row.name));
  const missing = MIGRATIONS.map((migration) => migration.name).filter((name) => !done.has(name));
  if (missing.length > 0) throw new Error(`Migrations have not run: ${missing.join(', ')}.`);
}
