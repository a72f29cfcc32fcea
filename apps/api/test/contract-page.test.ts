import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/contract.md', ROOT), 'utf8');

/** The cells of each promise on the page: every row of every table that has the column "proof". */
const rows = page
  .split(/\n(?=\| )/)
  .flatMap((block) => block.split('\n'))
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !/\| proof \|$/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

/** A test, as the page names it; in the running text it may be broken into lines. */
const PROOF = /`([a-z0-9/-]+):\s([^`|]+)`/g;

const proofs = [...page.matchAll(PROOF)].map(([, name = '', title = '']) => ({
  name,
  title: title.replace(/\s+/g, ' '),
}));

const COMMENT_OR_TEXT = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** Of a test file, what runs. */
function withoutComments(source: string): string {
  return source.replace(COMMENT_OR_TEXT, (found) => (found.startsWith('/') ? '' : found));
}

/** Whatever keeps a test from running, or turns its result around. */
const NOT_RUN =
  /\.(skip|skipIf|runIf|todo|only|fails)\b(?=\s*[(.])|\bskip\(|\bx(it|describe|test)\(|\b(it|test|describe)\.concurrent\.skip/;

/** What is wrong with a proof; undefined when the file runs a test, or a block of tests, of this title. */
function faultOf(source: string, title: string): string | undefined {
  const code = withoutComments(source);
  if (NOT_RUN.test(code)) return 'The file holds a test that does not run as it is written.';
  const literally = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const isThere = new RegExp(`\\(\\s*'${literally}',`).test(code);
  return isThere ? undefined : 'There is no test of this title.';
}

describe('the page of the contract', () => {
  it('has its promises in tables, and names a test in the last cell of each row', () => {
    expect(rows.length).toBeGreaterThan(50);
    const proofOf = (cells: string[]): string => cells.at(-1) ?? '';
    expect(rows.filter((cells) => !/^`[a-z0-9/-]+: [^`|]+`$/.test(proofOf(cells)))).toEqual([]);
    expect(proofs.length).toBeGreaterThan(rows.length);
  });

  it.each(proofs)('$name: $title', ({ name, title }) => {
    const path = name.includes('/') ? name : `apps/api/test/${name}`;
    const file = ['.test.ts', '.test.tsx']
      .map((ending) => fileURLToPath(new URL(path + ending, ROOT)))
      .find((one) => existsSync(one));
    if (file === undefined) throw new Error(`There is no test file ${path}.`);
    expect(faultOf(readFileSync(file, 'utf8'), title), path).toBeUndefined();
  });
});

describe('a title counts', () => {
  it.each([
    ['of a test', `it('is so', () => {});`],
    ['of a block', `describe('is so', () => {});`],
    ['of a table of tests', `it.each([\n  ['// a'],\n])(\n  'is so',\n  () => {},\n);`],
    ['beside a comment', `it('is so', () => {}); // it.skip('is not')`],
  ])('%s', (_where, source) => {
    expect(faultOf(source, 'is so')).toBeUndefined();
  });
});

describe('a title does not count', () => {
  it.each([
    ['of another test', `it('is so and so', () => {});`],
    ['that is commented out', `// it('is so', () => {});`],
    ['that is in a block of comments', `/*\nit('is so', () => {});\n*/`],
    ['that is a value only', `const title = 'is so';`],
    ['that is skipped', `it.${'skip'}('is so', () => {});`],
    ['that is skipped on some machines', `it.${'skipIf'}(true)('is so', () => {});`],
    ['that is in a block which is skipped', `describe.${'skip'}('all', () => { it('is so', () => {}); });`],
    ['that has to fail', `it.${'fails'}('is so', () => {});`],
    ['beside which another is the only one', `it('is so', () => {}); it.${'only'}('is', () => {});`],
    ['that skips itself', `it('is so', ({ skip }) => { ${'skip'}(); });`],
  ])('%s', (_where, source) => {
    expect(faultOf(source, 'is so')).toBeDefined();
  });
});
