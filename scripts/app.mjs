import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { freePort } from './ports.mjs';
import { environment, run } from './processes.mjs';
import { isStopping, onShutdown } from './shutdown.mjs';
import { inRoot, PlainError, readText, shown } from './workspace.mjs';

const startDeadlineMs = 180_000;
/** Longer than the api and the worker take at most: they end themselves 10 s after a lease, which is 15 s. */
const stopGraceMs = 30_000;

/**
 * Brings the schemas, the seed data and the roles of the processes up to date; doing it twice changes nothing.
 * @param {import('./database.mjs').Databases} databases
 * @param {string[]} args
 */
export async function migrate({ shop, cardNetwork }, args = []) {
  await migrateOne('apps/api/dist/migrate.js', shop, args);
  await migrateOne('apps/card-network/dist/migrate.js', cardNetwork, args);
}

/** @param {string} migrations @param {import('./database.mjs').DatabaseUrls} urls @param {string[]} args */
async function migrateOne(migrations, urls, args) {
  const { code, output } = await run({
    program: process.execPath,
    args: [inRoot(migrations), ...args],
    env: urls,
    output: 'capture',
  });
  if (code !== 0) throw new PlainError(`${output}\nThe database could not be prepared.`);
  // It says something when a person should know, such as that the app may do more than it needs to.
  if (output.trim()) console.log(output.trim());
}

/**
 * What the card network runs with: on loopback only, whatever the shop listens on.
 * @param {import('./database.mjs').DatabaseUrls} urls @param {number} port @param {'on' | 'off'} admin
 */
export const cardNetworkEnv = (urls, port, admin) => ({
  ...urls,
  PORT: String(port),
  HOST: '127.0.0.1',
  ADMIN: admin,
});

/**
 * @typedef {object} App
 * @property {number[]} pids
 * @property {Promise<string>} listening its URL; fails when it does not come up
 * @property {string} cardNetworkUrl
 * @property {Promise<string>} ended a sentence, once the first of its processes ends
 */

/**
 * Starts the card network, the api and the worker on databases that are up to date. What they say goes to the file `log`.
 * With `admin` the card network can be told over HTTP what goes wrong next. `env` is for the shop alone.
 * @param {{ databases: import('./database.mjs').Databases, port: number, log: string, admin: 'on' | 'off',
 *   env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<App>}
 */
export async function startApp({ databases, port, log, admin, env }) {
  const cardNetworkPort = await freePort();
  const cardNetworkUrl = `http://127.0.0.1:${cardNetworkPort}`;
  const shopEnv = {
    ...databases.shop,
    PORT: String(port),
    WEB_DIST: inRoot('apps/web/dist'),
    CARD_NETWORK_URL: cardNetworkUrl,
    MAIL_PROVIDER_URL: cardNetworkUrl,
    ...env,
  };
  const output = openSync(log, 'w');
  const cardNetwork = startPart(
    'card-network',
    'apps/card-network/dist/main.js',
    cardNetworkEnv(databases.cardNetwork, cardNetworkPort, admin),
    output,
  );
  const api = startPart('api', 'apps/api/dist/main.js', shopEnv, output);
  const worker = startPart('worker', 'apps/api/dist/worker.js', shopEnv, output);
  closeSync(output);
  onShutdown(async () => {
    // The card network last: until then they may be asking it.
    await Promise.all([api.stop(), worker.stop()]);
    await cardNetwork.stop();
  });
  const parts = [api, worker, cardNetwork];
  const ended = Promise.race(parts.map((part) => part.ended)).then(
    (sentence) => `${sentence} See ${shown(log)}.`,
  );
  const trouble = Promise.race([ended, late()]).then((sentence) => {
    throw new PlainError(`${readText(log)}${sentence}`);
  });
  const listening = Promise.race([Promise.all(parts.map((part) => part.listening)), trouble]).then(
    ([url]) => url ?? '',
  );
  return { pids: parts.map((part) => part.pid), listening, cardNetworkUrl, ended };
}

/** @returns {Promise<string>} */
function late() {
  const sentence = `The app is not listening after ${startDeadlineMs / 1000} s.`;
  return new Promise((resolve) => setTimeout(resolve, startDeadlineMs, sentence).unref());
}

/**
 * One process of the app, in a process group of its own: Ctrl-C reaches only this script, which stops everything in
 * order. When this script is killed, the process sees its channel close and ends by itself.
 * @param {string} name @param {string} file @param {NodeJS.ProcessEnv} env @param {number} output an open file
 */
function startPart(name, file, env, output) {
  if (isStopping()) throw new PlainError('Stopping.');
  const child = spawn(process.execPath, [inRoot(file)], {
    env: environment(env),
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  });
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(`The ${name} process cannot be run: ${error.message}`));
    child.on('exit', (code, signal) =>
      resolve(`The ${name} process has ended by itself (${signal ?? `exit code ${code}`}).`),
    );
  });
  /** @type {Promise<string>} */
  const listening = new Promise((resolve) => {
    child.on('message', (/** @type {{ type: string, url?: string }} */ { type, url }) => {
      if (type === 'listening') resolve(url ?? '');
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopGraceMs);
    await ended;
    clearTimeout(timer);
  };
  return { pid: child.pid ?? 0, ended, listening, stop };
}
