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

describe('the page of the contract', () => {
  it('has its promises in tables', () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows.map((cells) => [cells[0], cells.at(-1) ?? '']))('%s', (_promise, proof) => {
    const [, name = '', title = ''] = /^`([^:`]+): ([^`]+)`$/.exec(proof) ?? [];
    const path = name.includes('/') ? name : `apps/api/test/${name}`;
    const file = ['.test.ts', '.test.tsx']
      .map((ending) => fileURLToPath(new URL(path + ending, ROOT)))
      .find((one) => existsSync(one));
    if (file === undefined) throw new Error(`${proof}: there is no test file ${path}.`);
    expect(readFileSync(file, 'utf8'), `${path} has no test of this title`).toContain(`'${title}'`);
  });
});
