import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { environment, run } from './processes.mjs';
import { isStopping, onShutdown } from './shutdown.mjs';
import { inRoot, PlainError, readText, shown } from './workspace.mjs';

const startDeadlineMs = 180_000;
const stopGraceMs = 20_000;

/**
 * Brings schema, seed data and the app's role up to date; doing it twice changes nothing.
 * @param {import('./database.mjs').DatabaseUrls} urls
 * @param {string[]} args
 */
export async function migrate(urls, args = []) {
  const migrations = inRoot('apps/api/dist/migrate.js');
  const { code, output } = await run({
    program: process.execPath,
    args: [migrations, ...args],
    env: urls,
    output: 'capture',
  });
  if (code !== 0) throw new PlainError(`${output}\nThe database could not be prepared.`);
}

/**
 * @typedef {object} App
 * @property {number[]} pids
 * @property {Promise<string>} listening its URL; fails when it does not come up
 * @property {Promise<string>} ended a sentence, once the first of its processes ends
 */

/**
 * Starts the api and the worker on a database that is up to date. What they say goes to the file `log`.
 * @param {{ urls: import('./database.mjs').DatabaseUrls, port: number, log: string, env?: NodeJS.ProcessEnv }} options
 * @returns {App}
 */
export function startApp({ urls, port, log, env }) {
  const appEnv = { ...urls, PORT: String(port), WEB_DIST: inRoot('apps/web/dist'), ...env };
  const output = openSync(log, 'w');
  const api = startPart('api', 'main.js', appEnv, output);
  const worker = startPart('worker', 'worker.js', appEnv, output);
  closeSync(output);
  onShutdown(async () => {
    await Promise.all([api.stop(), worker.stop()]);
  });
  const ended = Promise.race([api.ended, worker.ended]).then((sentence) => `${sentence} See ${shown(log)}.`);
  const trouble = Promise.race([ended, late()]).then((sentence) => {
    throw new PlainError(`${readText(log)}${sentence}`);
  });
  const listening = Promise.race([Promise.all([api.listening, worker.listening]), trouble]).then(
    ([url]) => url,
  );
  return { pids: [api.pid, worker.pid], listening, ended };
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
  const child = spawn(process.execPath, [inRoot('apps/api/dist', file)], {
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
