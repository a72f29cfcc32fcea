import { migrate, startApp } from './app.mjs';
import { raisedLimits } from './browser-tests.mjs';
import { build } from './build.mjs';
import { openDatabases } from './database.mjs';
import { install } from './install.mjs';
import { freePort } from './ports.mjs';
import { startTemporaryPostgres } from './postgres.mjs';
import { run } from './processes.mjs';
import { runScript } from './shutdown.mjs';
import { freshFile } from './tally.mjs';
import { inRoot } from './workspace.mjs';

/** The payments benchmark, on a fresh database with the settings of `npm start`. */
const work = async () => {
  await install();
  await build();
  const databases = await openDatabases(await startTemporaryPostgres(), 'pay_once_bench');
  await migrate(databases);
  const log = freshFile('bench-app.log');
  const app = await startApp({ databases, port: await freePort(), log, admin: 'off', env: raisedLimits });
  const env = {
    BASE_URL: await app.listening,
    CARD_NETWORK_URL: app.cardNetworkUrl,
    TEST_DATABASE_URL: databases.shop.MIGRATION_DATABASE_URL,
  };
  const args = [inRoot('e2e/bench/payments.mjs'), ...process.argv.slice(2)];
  return run({ program: process.execPath, args, env, output: 'show' });
};
await runScript(work, { interruptedCode: 130 });
