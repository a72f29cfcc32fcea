import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { command, hashOf, inRoot, members, PlainError, readText, sourceFiles } from './workspace.mjs';

const stampFile = inRoot('node_modules', '.pay-once-built');

/**
 * Builds the packages and apps when their sources are not those of the last build, or when something else has built
 * since. Fails with the compiler's words.
 */
export async function build() {
  const sources = sourcesHash();
  if (readText(stampFile) === stampOf(sources)) return;

  console.log('Building.');
  rmSync(stampFile, { force: true });
  await step({ program: command('.', 'tsc'), args: ['-b'] });
  await step({
    program: command('apps/web', 'vite'),
    args: ['build', '--logLevel', 'warn'],
    cwd: inRoot('apps/web'),
  });
  writeFileSync(stampFile, stampOf(sources));
}

/** @param {Omit<import('./processes.mjs').Program, 'output'>} program */
async function step(program) {
  const { code, output } = await run({ ...program, output: 'capture' });
  if (code !== 0) throw new PlainError(`${output}\nThe build failed.`);
}

function sourcesHash() {
  const paths = ['packages', 'apps', 'tsconfig.json', 'tsconfig.base.json', 'pnpm-lock.yaml'];
  return hashOf(paths.flatMap((path) => sourceFiles(inRoot(path))));
}

/** What was built, and when each part was. @param {string} sources */
function stampOf(sources) {
  return hashOf([], [sources, ...members().map((folder) => builtAt(join(folder, 'dist')))]);
}

/** @param {string} dist */
function builtAt(dist) {
  const output = ['.tsbuildinfo', 'index.html']
    .map((name) => `${dist}/${name}`)
    .find((file) => existsSync(file));
  return output ? String(statSync(output).mtimeMs) : 'never';
}
