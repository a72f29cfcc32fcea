import { basename } from 'node:path';
import { build } from './build.mjs';
import { run } from './processes.mjs';
import { failure, measure, success } from './tally.mjs';
import { command, hashOf, inRoot, readText, shown, sourceFiles } from './workspace.mjs';

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
  const built = references.map(({ path }) => inRoot(path, 'tsconfig.json'));
  return ['scripts', 'packages', 'apps', 'e2e']
    .flatMap((folder) => sourceFiles(inRoot(folder)))
    .filter((file) => basename(file) === 'tsconfig.json' && !built.includes(file))
    .map((file) => {
      const cache = inRoot('node_modules/.cache/types', `${hashOf([], [file]).slice(0, 12)}.tsbuildinfo`);
      return ['tsc', '-p', shown(file), '--noEmit', '--incremental', '--tsBuildInfoFile', cache];
    });
}

/** Runs commands of the root's dependencies, two at a time; all of them must end well. @param {string[][]} commands */
async function tools(commands) {
  let complaints = '';
  const left = commands.values();
  const work = async () => {
    for (const [name = '', ...args] of left) {
      const { code, output } = await run({ program: command('.', name), args, output: 'capture' });
      if (code !== 0) complaints += `${name} ${args.join(' ')}\n${output}\n`;
    }
  };
  await Promise.all([work(), work()]);
  return complaints ? failure(complaints) : success();
}
