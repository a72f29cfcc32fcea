import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { run } from './processes.mjs';
import { command, hashOf, inRoot, PlainError, readText, sourceFiles } from './workspace.mjs';

const stampFile = inRoot('node_modules', '.pay-once-built');

/** Builds the packages and apps when their sources are not those of the last build. Fails with the compiler's words. */
export async function build() {
  const stamp = hashOf(
    ['packages', 'apps', 'tsconfig.json', 'tsconfig.base.json', 'pnpm-lock.yaml'].flatMap((path) =>
      sourceFiles(inRoot(path)),
    ),
  );
  if (readText(stampFile) === stamp && outputsExist()) return;

  console.log('Building.');
  rmSync(stampFile, { force: true });
  await step({ program: command('.', 'tsc'), args: ['-b'] });
  await step({
    program: command('apps/web', 'vite'),
    args: ['build', '--logLevel', 'warn'],
    cwd: inRoot('apps/web'),
  });
  writeFileSync(stampFile, stamp);
}

/** @param {Omit<import('./processes.mjs').Program, 'output'>} program */
async function step(program) {
  const { code, output } = await run({ ...program, output: 'capture' });
  if (code !== 0) throw new PlainError(`${output}\nThe build failed.`);
}

function outputsExist() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(inRoot(parent)).map((name) => inRoot(parent, name)),
  );
  return folders.every((folder) => !existsSync(`${folder}/package.json`) || existsSync(`${folder}/dist`));
}
