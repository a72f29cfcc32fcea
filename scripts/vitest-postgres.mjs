// A `globalSetup` of Vitest: tests find a server in TEST_DATABASE_URL, also when a package's tests are run alone.
import { startTemporaryPostgres } from './postgres.mjs';

export default async function setup() {
  if (process.env['TEST_DATABASE_URL']) return undefined;
  const server = await startTemporaryPostgres();
  process.env['TEST_DATABASE_URL'] = server.url('postgres', 'postgres');
  return server.stop;
}
