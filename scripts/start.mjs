import { migrate, startApp } from './app.mjs';
import { build } from './build.mjs';
import { chooseDatabase } from './database.mjs';
import { install } from './install.mjs';
import { choosePort } from './ports.mjs';
import { runScript } from './shutdown.mjs';

await runScript(start, { interruptedCode: 0 });

async function start() {
  const database = await chooseDatabase();
  const port = await choosePort();
  await install();
  await build();

  const { urls, ended } = await database.open();
  await migrate(urls);
  // A line for every answer would push the address below out of sight.
  const app = startApp({ urls, port, env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn' } });
  database.remember(app.pids);
  const url = await app.listening;
  console.log(`
Pay Once runs at ${url}

  Choose seats with +, check out, and double-click Pay: you are charged once.
  Reload while it pays, or pay the same order in two tabs: still once.

Ctrl-C stops it. The data is kept; "npm run reset" empties it.
`);
  const sentence = await Promise.race([app.ended, ended]);
  return { code: 1, line: `${sentence} The rest is stopped.` };
}
