import { writeFileSync } from 'node:fs';
import { holdDataFolder } from './data-folder.mjs';
import { startPostgres } from './postgres.mjs';
import { dataDirectoryFor } from './postgres-place.mjs';
import { shown } from './workspace.mjs';

/**
 * How the app reaches its database: as the owner of the schema, and as the role it runs as.
 * @typedef {{ MIGRATION_DATABASE_URL: string, DATABASE_URL: string }} DatabaseUrls
 */

/**
 * The database on the server that `DATABASE_URL` names; `undefined` when it is not set. Without a
 * `MIGRATION_DATABASE_URL` the same role owns the schema.
 * @returns {DatabaseUrls | undefined}
 */
export function databaseFromEnvironment() {
  const url = process.env['DATABASE_URL'];
  return url
    ? { DATABASE_URL: url, MIGRATION_DATABASE_URL: process.env['MIGRATION_DATABASE_URL'] || url }
    : undefined;
}

/**
 * Chooses where the app's data lives: on the server that `DATABASE_URL` names, else in the data folder, which is taken
 * at once. What it returns starts what is needed.
 * @returns {Promise<() => Promise<AppDatabase>>}
 *
 * @typedef {object} AppDatabase
 * @property {DatabaseUrls} urls
 * @property {Promise<string>} ended a sentence, once a server of ours ends
 * @property {(pids: number[]) => void} remember notes what the next script has to end, if this one is killed
 */
export async function chooseDatabase() {
  const urls = databaseFromEnvironment();
  if (urls) return async () => ({ urls, ended: new Promise(() => undefined), remember: () => undefined });
  const { database, postgresLog, processes } = await holdDataFolder();
  return async () => {
    console.log(`Starting Postgres. Its data is in ${shown(dataDirectoryFor(database))}.`);
    const server = await startPostgres({ directory: database, log: postgresLog });
    const ended = server.exited.then(() => `Postgres has ended by itself. See ${shown(postgresLog)}.`);
    /** @param {number[]} pids */
    const remember = (pids) => writeFileSync(processes, JSON.stringify(pids));
    return { urls: await openDatabase(server, 'pay_once'), ended, remember };
  };
}

/**
 * The database `name` on a server of ours; made when it is not there.
 * @param {import('./postgres.mjs').PostgresServer} server
 * @param {string} name
 * @returns {Promise<DatabaseUrls>}
 */
export async function openDatabase(server, name) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server.url('postgres', 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  return {
    MIGRATION_DATABASE_URL: server.url('postgres', name),
    DATABASE_URL: server.url('pay_once_app', name),
  };
}
