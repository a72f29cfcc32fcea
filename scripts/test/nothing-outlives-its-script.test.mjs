import { expect, test } from 'vitest';
import { gone, startScript } from './script.mjs';

/** A script with a program that would run for a minute, and prints that program's process number. */
const script = `
  import { runScript } from './shutdown.mjs';
  import { startProgram } from './processes.mjs';
  await runScript(async () => {
    const text = 'console.log(process.pid); setTimeout(() => undefined, 60_000)';
    const code = await startProgram({ program: process.execPath, args: ['-e', text], output: 'show' }).exited;
    return { code };
  }, { interruptedCode: 7 });`;

test.each(/** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL']))(
  'a program ends when its script gets %s',
  async (signal) => {
    const { line, end } = await startScript(script);
    const pid = Number(line);
    expect(pid).toBeGreaterThan(1);
    await end(signal);
    await gone(pid);
  },
);

test('an interrupted script ends with the code it chose', async () => {
  const { end } = await startScript(script);
  expect(await end('SIGTERM')).toBe(7);
});

test('a script hands on the exit code of what it ran', async () => {
  const { end } = await startScript(`
    import { runScript } from './shutdown.mjs';
    import { run } from './processes.mjs';
    await runScript(() => run({ program: process.execPath, args: ['-e', 'console.log(1); process.exit(3)'], output: 'show' }),
      { interruptedCode: 7 });`);
  expect(await end('SIGCONT')).toBe(3);
});

test('a program that takes too long is ended and counts as failed', async () => {
  const { line } = await startScript(`
    import { run } from './processes.mjs';
    const text = 'setTimeout(() => undefined, 60_000)';
    const { code, output } = await run({ program: process.execPath, args: ['-e', text], output: 'capture', timeoutMs: 300 });
    console.log(code, output.trim());`);
  expect(line).toBe('1 Stopped: it was not done after 0.3 s.');
});
