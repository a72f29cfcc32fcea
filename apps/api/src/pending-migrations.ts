import type { DataSource } from 'typeorm';
import { MIGRATIONS } from './database.js';
import { queryWithin } from './query-within.js';

/** The names of the migrations that this build was made for and that have not run. Reads only: the run role has no DDL. */
export async function findPendingMigrations(
  query: (sql: string) => Promise<{ name: string }[]>,
): Promise<string[]> {
  const rows = await query('select name from migrations');
  return pendingAfter(rows.map((row) => row.name));
}

/** The names of the migrations that this build was made for and that are not among `done`. */
export function pendingAfter(done: string[]): string[] {
  return MIGRATIONS.map((migration) => migration.name).filter((name) => !done.includes(name));
}

/** A database that was just started may be slow. */
const START_WAIT_MS = 30_000;

/** Rejects when the schema is not the one that this build was made for. */
export async function requireMigrations(dataSource: DataSource): Promise<void> {
  const pending = await findPendingMigrations((sql) => queryWithin(dataSource, START_WAIT_MS, sql));
  if (pending.length > 0) throw new Error(describePending(pending));
}

export function describePending(names: string[]): string {
  return `Migrations have not run: ${names.join(', ')}.`;
}
