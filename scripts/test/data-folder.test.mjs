import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startScript } from './script.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-once-data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A script that takes the data folder, says how that went, and stays. */
const holder = `
  import { holdDataFolder } from './data-folder.mjs';
  import { runScript } from './shutdown.mjs';
  await runScript(async () => {
    await holdDataFolder().then(() => console.log('held'), (error) => console.log(error.message.split('\\n')[0]));
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    return { code: 0 };
  }, { interruptedCode: 0 });`;
const hold = () => startScript(holder, { DATA_DIR: folder });
const refusal = /^Pay Once is already running on the data in .* \(process \d+\)\.$/;

test('a second script on the same data is refused, and told who holds it', async () => {
  const first = await hold();
  const second = await hold();
  expect([first.line, second.line]).toEqual(['held', expect.stringMatching(refusal)]);
  await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
});

test('a script that was refused takes nothing from the one that holds the folder', async () => {
  const first = await hold();
  await (await hold()).end('SIGTERM');
  const third = await hold();
  expect(third.line).toMatch(refusal);
  await Promise.all([first.end('SIGTERM'), third.end('SIGTERM')]);
});

test('the folder of a script that was killed is free', async () => {
  await (await hold()).end('SIGKILL');
  const next = await hold();
  expect(next.line).toBe('held');
  await next.end('SIGTERM');
});
