import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built API, running as it runs in production: a process of its own, configured by its environment. */
export interface ApiProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** How it ended: an exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** What it has written so far. */
  output(): string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

/** Longer than a busy machine needs, and shorter than a test may take. */
const START_MAX_MS = 60_000;

/** Starts the API and resolves when it listens. Rejects with what it wrote when it refuses to start. */
export async function startApi(env: Record<string, string>): Promise<ApiProcess> {
  const program = runProgram('main.js', { PORT: '0', ...env });
  const kill = async (): Promise<void> => {
    program.process.kill('SIGKILL');
    await program.ended;
  };
  const late = setTimeout(kill, START_MAX_MS);
  const first = await Promise.race([once(program.process, 'message'), program.ended]);
  clearTimeout(late);
  if (!Array.isArray(first)) throw new Error(`The API did not start (${first}). ${program.output()}`);
  const [{ url }] = first as [{ type: 'listening'; url: string }];
  return { url, kill, ...program };
}

/** Brings the schema up to date, as the owner, and lets the run role in. */
export async function runMigrations(urls: { owner: string; run: string }): Promise<void> {
  const program = runProgram('migrate.js', { MIGRATION_DATABASE_URL: urls.owner, DATABASE_URL: urls.run });
  if ((await program.ended) !== 0) throw new Error(program.output());
}

/** Starts one of the built programs. */
export function runProgram(
  file: string,
  env: Record<string, string>,
): { process: ChildProcess; ended: Promise<number | NodeJS.Signals>; output: () => string } {
  const child = fork(fileURLToPath(new URL(`../dist/${file}`, import.meta.url)), {
    env,
    execArgv: [],
    silent: true,
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  // Its last words may come after its end.
  const closed = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
  const ended = Promise.all([once(child, 'exit'), ...closed]).then(
    ([[code, signal]]) => (code ?? signal) as number | NodeJS.Signals,
  );
  return { process: child, ended, output: () => Buffer.concat(chunks).toString() };
}
