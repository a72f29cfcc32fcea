import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** @param {string[]} parts */
export const inRoot = (...parts) => join(root, ...parts);

/** The folders of all packages and apps. */
export const members = () =>
  ['packages', 'apps'].flatMap((parent) => readdirSync(inRoot(parent)).map((name) => inRoot(parent, name)));

/** A path as people want to read it. @param {string} path */
export const shown = (path) => (path.startsWith(root) ? relative(root, path) : path);

/** The command `name` that the workspace folder `folder` has installed. @param {string} folder @param {string} name */
export const command = (folder, name) => inRoot(folder, 'node_modules', '.bin', name);

/** A fault with a cause people can act on: scripts print its message and no stack. */
export class PlainError extends Error {}

/** The text of a file, or `undefined` when there is none. @param {string} file */
export function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const derivedFolders = new Set(['node_modules', 'dist', 'coverage', 'test-results', 'playwright-report']);

/** Every file at or under `path` that is written by people, in a fixed order. @param {string} path @returns {string[]} */
export function sourceFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && !derivedFolders.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => sourceFiles(join(path, entry.name)));
}

/** One hash over names and contents of `files` and over `facts`. @param {string[]} files @param {string[]} facts */
export function hashOf(files, facts = []) {
  const hash = createHash('sha256');
  for (const fact of facts) hash.update(`${fact}\0`);
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}
