// Runs one program, and stops it as soon as the script that asked for it is gone: also after a kill -9, which leaves
// that script no time to clean up. The channel to the script closes in every case, and that is what is watched here.
import { spawn } from 'node:child_process';

/** @type {{ program: string, args: string[], stopSignal: NodeJS.Signals, uid?: number, gid?: number }} */
const { program, args, stopSignal, ...owner } = JSON.parse(process.argv[2] ?? '');

// The script can be gone before this line runs; nobody will say so again.
if (!process.connected) process.exit(1);

/** Longer than the api and the worker, which `npm run dev` starts, take at most. */
const graceMs = 30_000;
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...owner });

child.on('error', (error) => {
  console.error(`${program} cannot be run: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));

function stop() {
  child.kill(stopSignal);
  setTimeout(() => child.kill('SIGKILL'), graceMs);
}
process.once('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(stopSignal));
