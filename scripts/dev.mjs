import { writeFileSync } from 'node:fs';
import { cardNetworkEnv, migrate } from './app.mjs';
import { build } from './build.mjs';
import { dataFolder } from './data-folder.mjs';
import { chooseDatabase } from './database.mjs';
import { install } from './install.mjs';
import { choosePort, freePort } from './ports.mjs';
import { startProgram } from './processes.mjs';
import { runScript } from './shutdown.mjs';
import { command, inRoot } from './workspace.mjs';

await runScript(dev, { interruptedCode: 0 });

/** The app on its kept data, rebuilt and restarted when a source changes. A new migration needs a new start. */
async function dev() {
  const openDatabase = await chooseDatabase();
  const port = await choosePort();
  await install();
  await build();
  const { databases, ended } = await openDatabase();
  await migrate(databases);

  const apiPort = await freePort();
  const cardNetworkPort = await freePort();
  const cardNetworkUrl = `http://127.0.0.1:${cardNetworkPort}`;
  writeFileSync(dataFolder().cardNetworkUrl, cardNetworkUrl);
  console.log(`The card network runs at ${cardNetworkUrl}, with its admin routes.`);
  const env = {
    ...databases.shop,
    PORT: String(apiPort),
    API_URL: `http://127.0.0.1:${apiPort}`,
    CARD_NETWORK_URL: cardNetworkUrl,
    MAIL_PROVIDER_URL: cardNetworkUrl,
  };
  const networkEnv = cardNetworkEnv(databases.cardNetwork, cardNetworkPort, 'on');
  /** @param {string} file @param {NodeJS.ProcessEnv} env */
  const watch = (file, env) => {
    const args = ['--watch', '--watch-preserve-output', inRoot(file)];
    return startProgram({ program: process.execPath, args, env, output: 'show' });
  };
  const parts = [
    startProgram({
      program: command('.', 'tsc'),
      args: ['-b', '--watch', '--preserveWatchOutput'],
      output: 'show',
    }),
    watch('apps/card-network/dist/main.js', networkEnv),
    watch('apps/api/dist/main.js', env),
    watch('apps/api/dist/worker.js', env),
    startProgram({
      program: command('apps/web', 'vite'),
      args: ['--port', String(port), '--strictPort'],
      cwd: inRoot('apps/web'),
      env,
      output: 'show',
    }),
  ];
  const part = Promise.race(parts.map(({ exited }) => exited)).then(() => 'A part of the app has ended.');
  return { code: 1, line: `${await Promise.race([part, ended])} The rest is stopped.` };
}
