import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.mjs';
import { dataDirectoryFor, giveTo, placePostgres } from './postgres-place.mjs';
import { commandLineOf, endLeftover, run, startProgram } from './processes.mjs';
import { onShutdown } from './shutdown.mjs';
import { PlainError, readText } from './workspace.mjs';

/**
 * A PostgreSQL server of our own, on this machine only. Whoever connects needs no password; the owner of everything
 * is the superuser `postgres`.
 * @typedef {object} PostgresServer
 * @property {(user: string, database: string) => string} url
 * @property {Promise<number>} exited
 * @property {() => Promise<void>} stop
 */

const startDeadlineMs = 180_000;

/** What a server needs beyond its defaults; durability stays at the defaults, which are safe. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  // Both off by default. Without them a client that is gone or stuck keeps its locks.
  idle_in_transaction_session_timeout: '60s',
  ...(process.platform === 'win32' ? {} : { client_connection_check_interval: '5s' }),
};

/** Faults that pass: the port was taken meanwhile; or a killed server's backend has not noticed yet, for about 2 s. */
const passingFaults = ['could not bind', 'shared memory block', 'shared memory segment'];

/**
 * Starts the server of a data directory, which is made when it is not there. A server that an earlier run left
 * behind on it is stopped first. The caller makes sure that no other script is using the directory.
 * @param {{ directory: string, log: string }} options absolute paths
 * @returns {Promise<PostgresServer>}
 */
export async function startPostgres({ directory: wanted, log }) {
  // What leads to some other server must reach neither this one nor the tests.
  for (const name of Object.keys(process.env))
    if (/^PG|^(MIGRATION_)?DATABASE_URL$/.test(name)) delete process.env[name];
  const place = await placePostgres(wanted);
  const { directory } = place;
  await stopLeftoverServer(directory);
  if (!existsSync(join(directory, 'PG_VERSION'))) await initialise(place);
  // Only when someone killed the guard between us and the server is there anything left to stop then.
  onShutdown(() => stopLeftoverServer(directory));

  const deadlineAt = Date.now() + startDeadlineMs;
  for (;;) {
    const port = await freePort();
    const server = launch(place, port, log);
    /** @type {PostgresServer['url']} */
    const url = (user, database) => `postgres://${user}@127.0.0.1:${port}/${database}`;
    if (await answers(url('postgres', 'postgres'), directory, server.exited, deadlineAt)) {
      const stop = async () => {
        await server.stop();
        await stopLeftoverServer(directory);
      };
      return { url, exited: server.exited, stop };
    }
    await server.stop();
    const words = readText(log) ?? '';
    if (Date.now() > deadlineAt || !passingFaults.some((fault) => words.includes(fault))) {
      throw new PlainError(`Postgres does not start. Its last words (${log}):\n${words.slice(-2000)}`);
    }
    await sleep(500);
  }
}

/** A server with an empty data directory, which is removed when it stops. @returns {Promise<PostgresServer>} */
export async function startTemporaryPostgres() {
  removeAbandonedFolders();
  const folder = mkdtempSync(join(tmpdir(), `${temporaryPrefix}${process.pid}-`));
  chmodSync(folder, 0o755);
  const wanted = join(folder, 'postgres');
  const directory = dataDirectoryFor(wanted);
  const remove = async () => {
    for (const path of [directory, folder]) rmSync(path, { recursive: true, force: true });
  };
  onShutdown(remove);
  const server = await startPostgres({ directory: wanted, log: join(folder, 'postgres.log') });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await remove();
    },
  };
}

const temporaryPrefix = 'pay-once-postgres-';

/** The folders of scripts that were killed: their server has ended with them, their folder could not. */
function removeAbandonedFolders() {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(temporaryPrefix)
      ? Number.parseInt(name.slice(temporaryPrefix.length), 10)
      : 0;
    if (!pid || commandLineOf(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true });
    } catch {
      // It belongs to another user.
    }
  }
}

/** Stops the server an earlier run left running on this data directory, cleanly. @param {string} directory */
export async function stopLeftoverServer(directory) {
  const pid = postmasterPid(directory);
  if (pid) await endLeftover(pid, { runs: `-D ${directory} `, signal: 'SIGINT', graceMs: 30_000 });
}

/** The process that `postmaster.pid` names, alive or not; 0 when there is none. @param {string} directory */
function postmasterPid(directory) {
  return Number.parseInt(readText(join(directory, 'postmaster.pid')) ?? '0', 10);
}

/** Makes the data directory: whole, or not at all. @param {import('./postgres-place.mjs').Place} place */
async function initialise({ directory, binaries, owner }) {
  const unfinished = `${directory}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  giveTo(owner, unfinished);
  const args = ['-D', unfinished, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  const { code, output } = await run({
    program: binaries.initdb,
    args,
    cwd: dirname(directory),
    env: { LC_ALL: 'C' },
    output: 'capture',
    owner,
  });
  if (code !== 0) throw new PlainError(`Postgres cannot make its data directory ${directory}:\n${output}`);
  renameSync(unfinished, directory);
}

/** @param {import('./postgres-place.mjs').Place} place @param {number} port @param {string} log */
function launch({ directory, binaries, owner }, port, log) {
  const stalePid = postmasterPid(directory);
  const output = openSync(log, 'w');
  const server = startProgram({
    program: binaries.postgres,
    args: [
      '-D',
      directory,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
    ],
    cwd: dirname(directory),
    // A number in postmaster.pid that now belongs to some other program would keep the server from starting. This is
    // how pg_ctl tells it to pass over a process; its check for backends that are still alive stays in force.
    env: { LC_ALL: 'C', ...(stalePid ? { PG_GRANDPARENT_PID: String(stalePid) } : {}) },
    output,
    stopSignal: 'SIGINT',
    owner,
  });
  closeSync(output);
  return server;
}

/**
 * Waits until the server of `directory` answers a query: an open port is not enough, it is open during recovery too.
 * @param {string} url @param {string} directory @param {Promise<number>} exited @param {number} deadlineAt
 */
async function answers(url, directory, exited, deadlineAt) {
  const { default: pg } = await import('pg');
  let ended = false;
  void exited.then(() => (ended = true));
  while (!ended && Date.now() < deadlineAt) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query("select current_setting('data_directory') as directory");
      return rows[0]?.directory === directory;
    } catch {
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}
