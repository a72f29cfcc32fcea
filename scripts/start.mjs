import { writeFileSync } from 'node:fs';
import { migrate, startApp } from './app.mjs';
import { build } from './build.mjs';
import { dataFolder } from './data-folder.mjs';
import { chooseDatabase } from './database.mjs';
import { install } from './install.mjs';
import { choosePort } from './ports.mjs';
import { runScript } from './shutdown.mjs';
import { shown } from './workspace.mjs';

await runScript(start, { interruptedCode: 0 });

async function start() {
  const openDatabase = await chooseDatabase();
  // Before the long work, because it may be in vain; and after it, because somebody may have come first.
  await choosePort();
  await install();
  await build();
  const port = await choosePort();

  const { databases, ended, remember } = await openDatabase();
  await migrate(databases);
  const folder = dataFolder();
  const log = folder.appLog(port);
  const app = await startApp({ databases, port, log, admin: 'off' });
  remember(app.pids);
  writeFileSync(folder.cardNetworkUrl, app.cardNetworkUrl);
  const url = await app.listening;
  console.log(`
Pay Once runs at ${url}

  Choose seats with +, check out, and double-click Pay: you are charged once.
  Reload while it pays, or pay the same order in two tabs: still once.

Ctrl-C stops it. The data is kept; "npm run reset" empties it. What the app logs is in ${shown(log)}.
`);
  const sentence = await Promise.race([app.ended, ended]);
  return { code: 1, line: `${sentence} The rest is stopped.` };
}
