import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashOf, sourceFiles } from '../workspace.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-once-stamp-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

const stamp = () => hashOf(sourceFiles(folder));

test('untouched sources keep their stamp', () => {
  expect(stamp()).toBe(stamp());
});

test.each([
  ['a change', () => writeFileSync(join(folder, 'src/a.ts'), 'two')],
  ['a new file', () => writeFileSync(join(folder, 'src/b.ts'), '')],
  ['a removed file', () => rmSync(join(folder, 'src/a.ts'))],
])('%s gives another stamp', (_what, change) => {
  const before = stamp();
  change();
  expect(stamp()).not.toBe(before);
});

test('what the build makes does not count', () => {
  const before = stamp();
  for (const derived of ['dist', 'node_modules']) {
    mkdirSync(join(folder, derived));
    writeFileSync(join(folder, derived, 'a.js'), 'made');
  }
  expect(stamp()).toBe(before);
});
