import { rmSync, writeFileSync } from 'node:fs';
import { run } from './processes.mjs';
import { hashOf, inRoot, PlainError, readText } from './workspace.mjs';

/** @type {{ packageManager: string, engines: { node: string } }} */
const manifest = JSON.parse(readText(inRoot('package.json')) ?? '{}');
const stampFile = inRoot('node_modules', '.pay-once-installed');

/**
 * Whether `version` is in `range`, a list of `^a.b.c` and `>=a.b.c` joined by `||`.
 * @param {string} version @param {string} range
 */
export function isInRange(version, range) {
  const [major = 0, minor = 0] = numbers(version);
  return range.split('||').some((part) => {
    const [fromMajor = 0, fromMinor = 0] = numbers(part);
    if (major === fromMajor) return minor >= fromMinor;
    return part.includes('>=') && major > fromMajor;
  });
}

/** @param {string} text */
const numbers = (text) => (text.match(/\d+/g) ?? []).map(Number);

/** Installs what is missing. Needs nothing but Node and npm, and does nothing when all is there. */
export async function install() {
  if (!isInRange(process.versions.node, manifest.engines.node)) {
    throw new PlainError(
      `Pay Once needs Node ${manifest.engines.node}; this is Node ${process.versions.node}. See https://nodejs.org.`,
    );
  }
  const stamp = hashOf(
    [inRoot('pnpm-lock.yaml'), inRoot('pnpm-workspace.yaml')],
    [process.version, process.platform, process.arch],
  );
  if (readText(stampFile) === stamp) return;

  console.log('Installing dependencies. The first time this takes half a minute.');
  rmSync(stampFile, { force: true });
  const { program, args } = npm();
  const pnpm = ['exec', '--yes', '--', manifest.packageManager, 'install', '--frozen-lockfile'];
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
