import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { readConfig } from './config.js';
import { dataSourceOptions } from './database.js';
import { prepareJobQueues } from './jobs/prepare-job-queues.js';
import { failToStart } from './process-lifecycle.js';
import { grantRunRole } from './run-role.js';
import { seed } from './seed.js';

/** Two processes that migrate at once would trip over each other; the second waits. */
const MIGRATION_LOCK = 4_715_001;

/** Nobody is waiting for an answer, and a database that was just started may be slow. */
const CONNECTION_WAIT_MS = 30_000;

/** Brings schema, concerts, job queues and the run role up to date. With `--reset` it empties the schema first. */
async function migrate(): Promise<void> {
  const config = readConfig(process.env);
  const runUrl = config.DATABASE_URL;
  const ownerUrl = process.env['MIGRATION_DATABASE_URL'] ?? runUrl;

  const owner = new DataSource(
    dataSourceOptions({ url: ownerUrl, poolMax: 2, name: 'migrate', waitMs: CONNECTION_WAIT_MS }),
  );
  await owner.initialize();
  const lock = owner.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (process.argv.includes('--reset')) {
      await owner.dropDatabase();
      await owner.query('drop schema if exists pgboss cascade');
    }
    await owner.runMigrations();
    await seed(owner);
    await prepareJobQueues(ownerUrl, {
      triesMax: config.JOB_TRIES_MAX,
      retryDelaySeconds: config.JOB_RETRY_DELAY_SECONDS,
      leaseSeconds: config.JOB_LEASE_SECONDS,
    });
    if ((await grantRunRole(owner, runUrl)) === 'same role') {
      console.warn(
        'The app runs as the owner of its tables. Name another role in DATABASE_URL to restrict it.',
      );
    }
  } finally {
    await lock.release();
    await owner.destroy();
  }
}

migrate().catch(failToStart);
