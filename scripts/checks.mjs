import { existsSync, readdirSync } from 'node:fs';
import { build } from './build.mjs';
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
    await measure('types', () => tools(typeProjects().map((folder) => ['tsc', '-p', folder]))),
    await measure('lint and format', () =>
      tools([['biome', 'check', '--colors=off', '--error-on-warnings', '.']]),
    ),
    await measure('unused code', () => tools([['knip']])),
    await measure('one version of everything', () => tools([['sherif']])),
  ];
}

/** The folders with a TypeScript project that the build leaves out: the web app, the tests and these scripts. */
function typeProjects() {
  /** @type {{ references: { path: string }[] }} */
  const { references } = JSON.parse(readText(inRoot('tsconfig.json')) ?? '{}');
  const built = references.map(({ path }) => path);
  const members = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(inRoot(parent)).map((name) => `${parent}/${name}`),
  );
  return ['scripts', 'e2e', ...members, ...members.map((folder) => `${folder}/test`)].filter(
    (folder) => !built.includes(folder) && existsSync(inRoot(folder, 'tsconfig.json')),
  );
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
