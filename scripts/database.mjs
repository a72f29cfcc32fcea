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
 * at once. `open` starts what is needed; `ended` is a sentence, once a server of ours ends.
 * @returns {Promise<{
 *   open: () => Promise<{ urls: DatabaseUrls, ended: Promise<string> }>,
 *   remember: import('./data-folder.mjs').DataFolder['remember'],
 * }>}
 */
export async function chooseDatabase() {
  const urls = databaseFromEnvironment();
  if (urls)
    return { open: async () => ({ urls, ended: new Promise(() => undefined) }), remember: () => undefined };
  const folder = await holdDataFolder();
  const open = async () => {
    console.log(`Starting Postgres. Its data is in ${shown(dataDirectoryFor(folder.database))}.`);
    const server = await startPostgres({ directory: folder.database, log: folder.postgresLog });
    const ended = server.exited.then(() => `Postgres has ended by itself; see ${shown(folder.postgresLog)}.`);
    return { urls: await openDatabase(server, 'pay_once'), ended };
  };
  return { open, remember: folder.remember };
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
