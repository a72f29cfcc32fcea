import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { commandLineOf } from '../processes.mjs';

/**
 * Runs the text of a script that imports from `scripts`, and waits for the first line it prints.
 * @param {string} text @param {NodeJS.ProcessEnv} [env]
 */
export async function startScript(text, env) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  /** @type {string[]} */
  const [line = ''] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => []),
  ]);
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return { line, end };
}

/** Waits until a process is gone. @param {number} pid */
export async function gone(pid) {
  while (commandLineOf(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}
