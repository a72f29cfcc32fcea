import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isStopping, onShutdown } from './shutdown.mjs';
import { PlainError, root } from './workspace.mjs';

const guard = fileURLToPath(new URL('guard.mjs', import.meta.url));

/**
 * @typedef {object} Program
 * @property {string} program
 * @property {string[]} args
 * @property {string} [cwd] the repository's folder when left out
 * @property {NodeJS.ProcessEnv} [env] added to this script's own environment
 * @property {'show' | 'capture' | number} output on the terminal, collected, or into an open file
 * @property {NodeJS.Signals} [stopSignal] what asks the program to end; SIGTERM when left out
 * @property {{ uid: number, gid: number } | undefined} [owner] whom it runs as, when that is not the one who runs this
 */

/**
 * @typedef {object} RunningProgram
 * @property {number} group its process group
 * @property {Promise<number>} exited its exit code
 * @property {() => Promise<void>} stop asks it to end, and waits until it has
 * @property {() => string} output what was collected so far
 */

/** @param {NodeJS.ProcessEnv} [added] */
export function environment(added) {
  // The commands in node_modules/.bin look for `node` there: it must be the one that runs this.
  const path = [dirname(process.execPath), process.env['PATH']].filter(Boolean).join(delimiter);
  return { ...process.env, PATH: path, ...added };
}

/**
 * Starts a program that does not outlive this script. It has its own process group, so Ctrl-C reaches only the
 * script, which stops everything in order.
 * @param {Program} program
 * @returns {RunningProgram}
 */
export function startProgram({ program, args, cwd = root, env, output, stopSignal = 'SIGTERM', owner }) {
  if (isStopping()) throw new PlainError('Stopping.');
  const job = JSON.stringify({ program, args, stopSignal, ...owner });
  const stream = output === 'show' ? 'inherit' : output === 'capture' ? 'pipe' : output;
  const child = spawn(process.execPath, [guard, job], {
    cwd,
    env: environment(env),
    detached: true,
    stdio: ['ignore', stream, stream, 'ipc'],
  });
  /** @type {Buffer[]} */
  const chunks = [];
  for (const pipe of [child.stdout, child.stderr]) pipe?.on('data', (chunk) => chunks.push(chunk));

  /** @type {Promise<number>} */
  const exited = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', async (code) => {
      // The last words may still be in the pipe; a grandchild that holds it open is not waited for.
      await Promise.race([new Promise((closed) => child.on('close', closed)), sleep(1000)]);
      resolve(code ?? 1);
    });
  });
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  const forget = onShutdown(stop);
  void exited.then(forget, forget);
  return { group: child.pid ?? 0, exited, stop, output: () => Buffer.concat(chunks).toString() };
}

/**
 * Runs a program to its end, and to that of all it has started in its process group.
 * @param {Program & { timeoutMs?: number }} program
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function run({ timeoutMs = 1_800_000, ...program }) {
  const running = startProgram(program);
  const stop = async () => {
    await running.stop();
    await groupEnd(running.group);
  };
  const forget = onShutdown(stop);
  let lateness = '';
  const timer = setTimeout(() => {
    lateness = `\nStopped: it was not done after ${timeoutMs / 1000} s.\n`;
    void stop();
  }, timeoutMs);
  const code = await running.exited;
  clearTimeout(timer);
  await groupEnd(running.group);
  // Whoever waits for this must not go on while everything is being stopped.
  if (isStopping()) return new Promise(() => undefined);
  forget();
  return { code: lateness ? 1 : code, output: running.output() + lateness };
}

/** Waits for what is left in a process group: 5 s, then it is killed. @param {number} group */
async function groupEnd(group) {
  const deadlineAt = Date.now() + 5_000;
  while (sendSignal(-group, 0)) {
    if (Date.now() > deadlineAt) {
      sendSignal(-group, 'SIGKILL');
      return;
    }
    await sleep(50);
  }
}

/** The command line of a live process; empty when there is none (a zombie has none either). @param {number} pid */
export function commandLineOf(pid) {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/**
 * Ends a process an earlier run left behind: `signal` first, SIGKILL when it is still there after `graceMs`. Does
 * nothing when the number belongs to another program by now.
 * @param {number} pid
 * @param {{ runs: string, signal: NodeJS.Signals, graceMs: number }} options `runs`: what its command line contains
 */
export async function endLeftover(pid, { runs, signal, graceMs }) {
  const isAlive = () => commandLineOf(pid).includes(runs);
  for (const [step, waitMs] of /** @type {const} */ ([
    [signal, graceMs],
    ['SIGKILL', 5_000],
  ])) {
    const deadlineAt = Date.now() + waitMs;
    if (isAlive()) sendSignal(pid, step);
    while (isAlive() && Date.now() < deadlineAt) await sleep(50);
  }
  if (isAlive())
    throw new PlainError(`Process ${pid}, left by an earlier run, cannot be ended: end it by hand.`);
}

/**
 * Whether there was somebody to get the signal who may be sent one.
 * @param {number} pid @param {NodeJS.Signals | 0} signal
 */
function sendSignal(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
