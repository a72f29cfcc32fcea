import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './database.js';
import { makeOwnDatabase } from './own-database.js';
import { failToStart } from './process-lifecycle.js';
import { grantRunRole } from './run-role.js';

/** Two processes that migrate at once would trip over each other; the second waits. */
const MIGRATION_LOCK = 4_715_002;

/** Nobody is waiting for an answer, and a database that was just started may be slow. */
const CONNECTION_WAIT_MS = 30_000;

/** Makes the database if need be, and brings schema and run role up to date. With `--reset` it empties the schema first. */
async function migrate(): Promise<void> {
  const runUrl = process.env['DATABASE_URL'];
  const ownerUrl = process.env['MIGRATION_DATABASE_URL'] ?? runUrl;
  if (runUrl === undefined || ownerUrl === undefined) throw new Error('DATABASE_URL is not set.');

  await makeOwnDatabase(ownerUrl);
  const owner = new DataSource(
    dataSourceOptions({
      url: ownerUrl,
      poolMax: 2,
      name: 'card-network-migrate',
      waitMs: CONNECTION_WAIT_MS,
    }),
  );
  await owner.initialize();
  const lock = owner.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (process.argv.includes('--reset')) await owner.dropDatabase();
    await owner.runMigrations();
    if ((await grantRunRole(owner, runUrl)) === 'same role') {
      console.warn('The card network runs as the owner of its tables; only triggers protect its record.');
    }
  } finally {
    await lock.release();
    await owner.destroy();
  }
}

migrate().catch(failToStart);
