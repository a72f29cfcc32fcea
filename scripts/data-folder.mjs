import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLeftover } from './processes.mjs';
import { isStopping, onShutdown } from './shutdown.mjs';
import { hashOf, inRoot, PlainError, readText, root, shown } from './workspace.mjs';

/**
 * The folder with everything that is kept between starts.
 * @typedef {object} DataFolder
 * @property {string} database the data directory of Postgres
 * @property {string} postgresLog
 * @property {(port: number) => string} appLog what the app on this port logs
 * @property {string} cardNetworkUrl a note of where the card network of the app is
 * @property {string} processes a note of the processes that the next script has to end, if this one is killed
 */

/** The data folder: `DATA_DIR`, or `.data`. It is made when it is not there. @returns {DataFolder} */
export function dataFolder() {
  const wanted = resolve(root, process.env['DATA_DIR'] || '.data');
  mkdirSync(wanted, { recursive: true });
  const folder = realpathSync(wanted);
  return {
    database: join(folder, 'postgres'),
    postgresLog: join(folder, 'postgres.log'),
    appLog: (port) => join(folder, `app-${port}.log`),
    cardNetworkUrl: join(folder, 'card-network.url'),
    processes: join(folder, 'processes.json'),
  };
}

/**
 * Takes the data folder for this script, and ends what a killed script left running. Fails when another script holds
 * it: its Postgres would be stopped under its feet.
 */
export async function holdDataFolder() {
  const folder = dataFolder();
  await hold(dirname(folder.database));

  /** @type {number[]} */
  const left = JSON.parse(readText(folder.processes) || '[]');
  // They saw their script go and are finishing what they were at; a stuck one is killed.
  const how = /** @type {const} */ ({ runs: inRoot('apps'), signal: 'SIGTERM', graceMs: 30_000 });
  await Promise.all(left.map((pid) => endLeftover(pid, how)));
  const forget = async () => rmSync(folder.processes, { force: true });
  await forget();
  onShutdown(forget);
  return folder;
}

/** npm killed with -9 is noticed within half a second; until then its script still holds the folder. */
const patienceMs = 1500;

/**
 * A socket is the lock: unlike a file with a process number it cannot outlive its holder, whatever kills it.
 * @param {string} folder
 */
async function hold(folder) {
  const name = `pay-once-${process.getuid?.() ?? ''}-${hashOf([], [folder]).slice(0, 12)}`;
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
  const refuseAt = Date.now() + patienceMs;
  while (!(await listen(path))) {
    const holder = await holderAt(path);
    if (!holder) {
      rmSync(path, { force: true });
    } else if (holder === 'stopping' || Date.now() < refuseAt) {
      await sleep(200);
    } else {
      throw new PlainError(
        `Pay Once is already running on the data in ${shown(folder)} (process ${holder}).\n` +
          'Stop it first, with Ctrl-C where it runs, or choose another folder: DATA_DIR=.data2 npm start',
      );
    }
  }
  onShutdown(async () => rmSync(path, { force: true }));
}

/** @param {string} path @returns {Promise<boolean>} */
function listen(path) {
  return new Promise((done, fail) => {
    const server = createServer((caller) => {
      caller.on('error', () => undefined).end(isStopping() ? 'stopping' : String(process.pid));
    });
    server.on('error', (error) =>
      'code' in error && error.code === 'EADDRINUSE' ? done(false) : fail(error),
    );
    server.listen(path, () => done(true)).unref();
  });
}

/**
 * What the holder of the lock says: its process number, or that it is stopping; `undefined` when it is dead.
 * @param {string} path @returns {Promise<string | undefined>}
 */
function holderAt(path) {
  return new Promise((done) => {
    const socket = connect(path);
    socket.on('data', (words) => done(words.toString()));
    socket.on('error', () => done(undefined));
    // A suspended holder accepts and never answers.
    socket.setTimeout(2000, () => {
      socket.destroy();
      done('suspended');
    });
  });
}
