import { migrate } from './app.mjs';
import { build } from './build.mjs';
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
  const { urls, ended } = await openDatabase();
  await migrate(urls);

  const apiPort = await freePort();
  const env = { ...urls, PORT: String(apiPort), API_URL: `http://127.0.0.1:${apiPort}` };
  /** @param {string} program @param {string[]} args @param {string} [cwd] */
  const start = (program, args, cwd) =>
    startProgram({ program, args, env, output: 'show', ...(cwd ? { cwd } : {}) });
  const parts = [
    start(command('.', 'tsc'), ['-b', '--watch', '--preserveWatchOutput']),
    start(process.execPath, ['--watch', '--watch-preserve-output', inRoot('apps/api/dist/main.js')]),
    start(process.execPath, ['--watch', '--watch-preserve-output', inRoot('apps/api/dist/worker.js')]),
    start(command('apps/web', 'vite'), ['--port', String(port), '--strictPort'], inRoot('apps/web')),
  ];
  const part = Promise.race(parts.map(({ exited }) => exited)).then(() => 'A part of the app has ended.');
  return { code: 1, line: `${await Promise.race([part, ended])} The rest is stopped.` };
}
