import { join } from 'node:path';
import { build } from './build.mjs';
import { dataFolder } from './data-folder.mjs';
import { install } from './install.mjs';
import { dataDirectoryFor } from './postgres-place.mjs';
import { run } from './processes.mjs';
import { runScript } from './shutdown.mjs';
import { inRoot, PlainError, readText } from './workspace.mjs';

/** Lists the parked jobs of the app that is running here, or has them tried again: npm run jobs -- retry all */
const work = async () => {
  const url = process.env['DATABASE_URL'] || runningDatabase();
  await install();
  await build();
  const args = [inRoot('apps/api/dist/jobs-command.js'), ...process.argv.slice(2)];
  return run({ program: process.execPath, args, env: { DATABASE_URL: url }, output: 'show' });
};
await runScript(work, { interruptedCode: 130 });

/** The database of the app that runs on the data folder, as the app itself reaches it. */
function runningDatabase() {
  const note = readText(join(dataDirectoryFor(dataFolder().database), 'postmaster.pid'));
  // The fourth line of the note is the port.
  const port = note?.split('\n')[3];
  if (!port)
    throw new PlainError('Pay Once is not running here. Start it with npm start, or set DATABASE_URL.');
  return `postgres://pay_once_app@127.0.0.1:${port}/pay_once`;
}
