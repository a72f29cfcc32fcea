import { expect, test } from 'vitest';
import { run } from '../processes.mjs';
import { command, inRoot, readText } from '../workspace.mjs';

const row = /^\| (?<what>.+?) \| \[`.+`\]\((?<spec>.+)\) \| (?<title>.+) \|$/;

/** @typedef {{ title: string, file?: string, specs?: { title: string, file: string }[], suites?: Suite[] }} Suite */

/** Every test of the suite, as its file and title. @param {Suite} suite @returns {string[]} */
const testsIn = ({ specs = [], suites = [] }) => [
  ...specs.map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(testsIn),
];

test('every test that the table of situations names exists, and every situation has one', async () => {
  const { output } = await run({
    program: command('e2e', 'playwright'),
    args: ['test', '--list', '--reporter=json'],
    cwd: inRoot('e2e'),
    env: { BASE_URL: 'http://127.0.0.1:1' },
    output: 'capture',
  });
  const tests = testsIn(JSON.parse(output));
  const rows = (readText(inRoot('e2e/browser/README.md')) ?? '')
    .split('\n')
    .map((line) => row.exec(line)?.groups ?? {})
    .filter(({ title }) => title);

  const named = rows.map(({ spec, title }) => `${spec}: ${title}`);
  expect(named.filter((name) => !tests.includes(name))).toEqual([]);
  const numbers = new Set(rows.map(({ what }) => Number(/^C(\d+) /.exec(what ?? '')?.[1])).filter(Boolean));
  expect([...numbers]).toEqual(Array.from({ length: 29 }, (_, index) => index + 1));
});
