import type { DataSource } from 'typeorm';
import { MIGRATIONS } from './database.js';

/** Rejects when the schema is not the one that this build was made for. Reads only: the run role has no DDL. */
export async function requireMigrations(dataSource: DataSource): Promise<void> {
  const rows: { name: string }[] = await dataSource.query('select name from migrations');
  const done = new Set(rows.map((row) => row.name));
  const missing = MIGRATIONS.map((migration) => migration.name).filter((name) => !done.has(name));
  if (missing.length > 0) throw new Error(`Migrations have not run: ${missing.join(', ')}.`);
}
