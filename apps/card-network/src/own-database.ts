import { Client, DatabaseError, escapeIdentifier } from 'pg';

/** Every server has a database of this name to connect to, whatever else it has. */
const MAINTENANCE_DATABASE = 'postgres';
const NO_SUCH_DATABASE = '3D000';

/** Makes the database that `url` names when it is not there. Rejects with what to do when the role may not. */
export async function makeOwnDatabase(url: string): Promise<void> {
  if (await exists(url)) return;
  const maintenance = new URL(url);
  const name = decodeURIComponent(maintenance.pathname.slice(1));
  maintenance.pathname = `/${MAINTENANCE_DATABASE}`;
  try {
    await withClient(maintenance.href, (client) => client.query(`create database ${escapeIdentifier(name)}`));
  } catch (error) {
    // Another one that migrates may have been first.
    if (await exists(url)) return;
    throw new Error(
      `The card network needs the database ${name}, and the role ${maintenance.username} cannot make it ` +
        `(${error instanceof Error ? error.message : error}). Make it, or name another one in CARD_NETWORK_DATABASE_URL.`,
    );
  }
}

async function exists(url: string): Promise<boolean> {
  try {
    await withClient(url, async () => undefined);
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === NO_SUCH_DATABASE) return false;
    throw error;
  }
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
