import { join } from 'node:path';
import { build } from './build.mjs';
import { dataFolder } from './data-folder.mjs';
import { install } from './install.mjs';
import { dataDirectoryFor } from './postgres-place.mjs';
import { run } from './processes.mjs';
import { inRoot, PlainError, readText } from './workspace.mjs';

/**
 * Runs a command of the API on the database of the app that is running here, or on that of `DATABASE_URL`, with the
 * arguments of this script.
 * @param {string} file @param {NodeJS.ProcessEnv} [env]
 */
export async function runOnApp(file, env) {
  const url = process.env['DATABASE_URL'] || runningDatabase();
  await install();
  await build();
  const args = [inRoot('apps/api/dist', file), ...process.argv.slice(2)];
  return run({ program: process.execPath, args, env: { DATABASE_URL: url, ...env }, output: 'show' });
}

/** The database of the app that runs on the data folder, as the app itself reaches it. */
function runningDatabase() {
  const note = readText(join(dataDirectoryFor(dataFolder().database), 'postmaster.pid'));
  // The fourth line of the note is the port.
  const port = note?.split('\n')[3];
  if (!port) throw notRunning('DATABASE_URL');
  return `postgres://pay_once_app@127.0.0.1:${port}/pay_once`;
}

/** The card network of the app that was started last on the data folder, or that of `CARD_NETWORK_URL`. */
export function cardNetworkUrl() {
  const url = process.env['CARD_NETWORK_URL'] || readText(dataFolder().cardNetworkUrl);
  if (!url) throw notRunning('CARD_NETWORK_URL');
  return url;
}

/** @param {string} variable */
function notRunning(variable) {
  return new PlainError(`Pay Once is not running here. Start it with npm start, or set ${variable}.`);
}
