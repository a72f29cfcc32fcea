import { writeFileSync } from 'node:fs';
import { holdDataFolder } from './data-folder.mjs';
import { startPostgres } from './postgres.mjs';
import { dataDirectoryFor } from './postgres-place.mjs';
import { shown } from './workspace.mjs';

/**
 * How a part reaches its database: as the owner of the schema, and as the role it runs as.
 * @typedef {{ MIGRATION_DATABASE_URL: string, DATABASE_URL: string }} DatabaseUrls
 */

/**
 * The databases of the shop and of the card network, which know nothing of each other.
 * @typedef {{ shop: DatabaseUrls, cardNetwork: DatabaseUrls }} Databases
 */

/**
 * The databases on the server that `DATABASE_URL` names; `undefined` when it is not set. Without a
 * `MIGRATION_DATABASE_URL` the same role owns the schema. That of the card network is beside the shop's, unless
 * `CARD_NETWORK_DATABASE_URL` names another.
 * @returns {Databases | undefined}
 */
export function databasesFromEnvironment() {
  const shop = urlsFromEnvironment('');
  if (!shop) return undefined;
  const beside = {
    DATABASE_URL: cardNetworkBeside(shop.DATABASE_URL),
    MIGRATION_DATABASE_URL: cardNetworkBeside(shop.MIGRATION_DATABASE_URL),
  };
  return { shop, cardNetwork: urlsFromEnvironment('CARD_NETWORK_') ?? beside };
}

/** @param {string} prefix @returns {DatabaseUrls | undefined} */
function urlsFromEnvironment(prefix) {
  const url = process.env[`${prefix}DATABASE_URL`];
  const ownerUrl = process.env[`${prefix}MIGRATION_DATABASE_URL`] || url;
  return url && ownerUrl ? { DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl } : undefined;
}

/** @param {string} shopUrl */
function cardNetworkBeside(shopUrl) {
  const url = new URL(shopUrl);
  const shopName = url.pathname.slice(1) || url.username;
  url.pathname = `/${shopName}_card_network`;
  return url.href;
}

/**
 * Chooses where the app's data lives: on the server that `DATABASE_URL` names, else in the data folder, which is taken
 * at once. What it returns starts what is needed.
 * @returns {Promise<() => Promise<AppDatabase>>}
 *
 * @typedef {object} AppDatabase
 * @property {Databases} databases
 * @property {Promise<string>} ended a sentence, once a server of ours ends
 * @property {(pids: number[]) => void} remember notes what the next script has to end, if this one is killed
 */
export async function chooseDatabase() {
  const databases = databasesFromEnvironment();
  if (databases)
    return async () => ({ databases, ended: new Promise(() => undefined), remember: () => undefined });
  const { database, postgresLog, processes } = await holdDataFolder();
  return async () => {
    console.log(`Starting Postgres. Its data is in ${shown(dataDirectoryFor(database))}.`);
    const server = await startPostgres({ directory: database, log: postgresLog });
    const ended = server.exited.then(() => `Postgres has ended by itself. See ${shown(postgresLog)}.`);
    /** @param {number[]} pids */
    const remember = (pids) => writeFileSync(processes, JSON.stringify(pids));
    return { databases: await openDatabases(server, 'pay_once', 'card_network'), ended, remember };
  };
}

/**
 * Databases on a server of ours. The shop's is made when it is not there; the card network makes its own.
 * @param {import('./postgres.mjs').PostgresServer} server
 * @param {string} shopName
 * @returns {Promise<Databases>}
 */
export async function openDatabases(server, shopName, cardNetworkName = `${shopName}_card_network`) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server.url('postgres', 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [shopName]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(shopName)}`);
  } finally {
    await client.end();
  }
  return {
    shop: {
      MIGRATION_DATABASE_URL: server.url('postgres', shopName),
      DATABASE_URL: server.url('pay_once_app', shopName),
    },
    cardNetwork: {
      MIGRATION_DATABASE_URL: server.url('postgres', cardNetworkName),
      DATABASE_URL: server.url('card_network_app', cardNetworkName),
    },
  };
}
