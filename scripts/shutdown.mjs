import { requireNodeVersion } from './node-version.mjs';
import { PlainError, readText } from './workspace.mjs';

/** @type {(() => Promise<void>)[]} */
const steps = [];
/** @type {Promise<void> | undefined} */
let stopping;

/** From here on nothing new may be started. */
export const isStopping = () => stopping !== undefined;

/**
 * Registers what must be stopped when the script ends, however it ends. Returns a function that takes it back.
 * @param {() => Promise<void>} step
 */
export function onShutdown(step) {
  steps.push(step);
  return () => {
    const index = steps.indexOf(step);
    if (index >= 0) steps.splice(index, 1);
  };
}

/** Stops everything, last started first. A step that fails does not keep the others from running. */
function shutdown() {
  stopping ??= (async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step().catch(printError);
  })();
  return stopping;
}

/** @param {unknown} error */
function printError(error) {
  console.error(error instanceof PlainError ? error.message : error);
}

/**
 * A script's main function: runs `work`, stops what it left running, prints its last line and exits with its code.
 * SIGINT, SIGTERM, SIGHUP and the death of the npm process above do the same at once and exit with `interruptedCode`.
 * @param {() => Promise<{ code: number, line?: string }>} work
 * @param {{ interruptedCode: number }} options
 */
export async function runScript(work, { interruptedCode }) {
  /** @param {number} code @param {string} [line] */
  const finish = async (code, line) => {
    await shutdown();
    if (line) console.log(line);
    process.exit(code);
  };
  // npm passes Ctrl-C on although the terminal has sent it already, so a second signal must not mean "hurry".
  const interrupt = () => void (isStopping() || finish(interruptedCode));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);
  if (process.env['npm_lifecycle_event']) whenNpmDies(interrupt);
  // A closed terminal or pipe must not stop the stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  try {
    requireNodeVersion();
    const { code, line } = await work();
    if (!isStopping()) await finish(code, line);
  } catch (error) {
    // What fails because it is being stopped is not news.
    if (isStopping()) return;
    printError(error);
    await finish(1);
  }
}

/** npm killed with -9 tells nobody; all that changes is who the parent is. @param {() => void} then */
function whenNpmDies(then) {
  const before = npmPid();
  setInterval(() => npmPid() !== before && then(), 500).unref();
}

/** The process that stands for npm: our parent, or the parent of the shell that npm has put in between. */
function npmPid() {
  const parent = process.ppid;
  if (!readText(`/proc/${parent}/cmdline`)?.includes('sh\0-c\0')) return parent;
  // The line is "pid (name) state parent …", and the name may hold spaces.
  return Number(readText(`/proc/${parent}/stat`)?.split(') ').at(-1)?.split(' ')[1] ?? parent);
}
