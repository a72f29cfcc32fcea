import { existsSync } from 'node:fs';
import { build, members } from './build.mjs';
import { run } from './processes.mjs';
import { failure, measure, success } from './tally.mjs';
import { command, inRoot, readText } from './workspace.mjs';

/** Checks the sources, one check after the other; a failure does not keep the next from running. */
export async function runChecks() {
  return [
    await measure('build', async () => {
      await build();
      return success();
    }),
    await measure('types', () => tools(typeChecks())),
    await measure('lint and format', () =>
      tools([['biome', 'check', '--colors=off', '--error-on-warnings', '.']]),
    ),
    await measure('unused code', () => tools([['knip']])),
    await measure('one version of everything', () => tools([['sherif']])),
  ];
}

/** A compiler run for every project that the build leaves out: the web app, the tests and these scripts. */
function typeChecks() {
  /** @type {{ references: { path: string }[] }} */
  const { references } = JSON.parse(readText(inRoot('tsconfig.json')) ?? '{}');
  const built = references.map(({ path }) => path);
  return ['scripts', 'e2e', ...members(), ...members().map((folder) => `${folder}/test`)]
    .filter((folder) => !built.includes(folder) && existsSync(inRoot(folder, 'tsconfig.json')))
    .map((folder) => {
      const cache = inRoot('node_modules/.cache/types', `${folder.replaceAll('/', '-')}.tsbuildinfo`);
      return ['tsc', '-p', folder, '--noEmit', '--incremental', '--tsBuildInfoFile', cache];
    });
}

/** Runs commands of the root's dependencies; all of them must end well. @param {string[][]} commands */
async function tools(commands) {
  let complaints = '';
  for (const [name = '', ...args] of commands) {
    const { code, output } = await run({ program: command('.', name), args, output: 'capture' });
    if (code !== 0) complaints += `${name} ${args.join(' ')}\n${output}\n`;
  }
  return complaints ? failure(complaints) : success();
}
