import 'reflect-metadata';
import { idSchema } from '@pay-once/contracts';
import { DataSource } from 'typeorm';
import { readConfig } from './config.js';
import { dataSourceOptions } from './database.js';
import { findParkedJobs, type ParkedJob, retryParkedJobs } from './jobs/parked-jobs.js';

const USAGE = 'Say nothing to list the parked jobs, or: retry <id>, retry all.';

/** Lists the jobs that are parked, or has them worked again. */
async function run([command, which, ...rest]: string[]): Promise<string> {
  if (rest.length > 0) throw new Error(USAGE);
  if (command === undefined)
    return withDatabase(async (database) => describe(await findParkedJobs(database)));
  const id = idSchema.safeParse(which);
  if (command !== 'retry' || !(which === 'all' || id.success)) throw new Error(USAGE);
  const target = id.success ? { id: id.data } : 'all';
  const count = await withDatabase((database) => retryParkedJobs(database, target));
  if (target !== 'all' && count === 0) throw new Error('No parked job has this id.');
  return count === 1 ? '1 job will be tried again.' : `${count} jobs will be tried again.`;
}

async function withDatabase<T>(work: (database: DataSource) => Promise<T>): Promise<T> {
  const { DATABASE_URL: url } = readConfig(process.env);
  const database = new DataSource(dataSourceOptions({ url, poolMax: 1, name: 'jobs' }));
  await database.initialize();
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

function describe(jobs: ParkedJob[]): string {
  if (jobs.length === 0) return 'No job is parked.';
  return jobs
    .map(
      ({ queue, id, tries, lastError, ageSeconds }) =>
        `${queue}  ${id}  ${tries} tries  ${ageSeconds} s old  ${lastError ?? 'no reason is known'}`,
    )
    .join('\n');
}

run(process.argv.slice(2)).then(
  (line) => console.log(line),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);
