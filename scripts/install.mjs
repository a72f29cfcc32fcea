import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { hashOf, inRoot, members, PlainError, readText, root } from './workspace.mjs';

const stampFile = inRoot('node_modules', '.pay-once-installed');

/** Installs what is missing. Needs nothing but Node and npm, and does nothing when all is there. */
export async function install() {
  const stamp = hashOf(
    [inRoot('pnpm-lock.yaml'), inRoot('pnpm-workspace.yaml')],
    [process.version, process.platform, process.arch],
  );
  const folders = [root, inRoot('e2e'), ...members()];
  const isThere = folders.every((folder) => existsSync(join(folder, 'node_modules')));
  if (isThere && readText(stampFile) === stamp) return;

  console.log('Installing dependencies. The first time this takes half a minute.');
  rmSync(stampFile, { force: true });
  /** @type {{ packageManager: string }} */
  const { packageManager } = JSON.parse(readText(inRoot('package.json')) ?? '{}');
  const { program, args } = npm();
  const pnpm = ['exec', '--yes', '--', packageManager, 'install', '--frozen-lockfile'];
  const { code } = await run({
    program,
    // The lock is trusted as it is; asking the registry again for every package's age takes 20 s.
    args: [...args, ...pnpm, '--config.minimum-release-age=0'],
    env: { CI: 'true' },
    output: 'show',
  });
  if (code !== 0) throw new PlainError('The dependencies could not be installed; see above.');
  writeFileSync(stampFile, stamp);
}

/** npm, without a shell where that is possible. */
function npm() {
  const path = process.env['npm_execpath'];
  return path?.endsWith('npm-cli.js')
    ? { program: process.execPath, args: [path] }
    : { program: 'npm', args: [] };
}
