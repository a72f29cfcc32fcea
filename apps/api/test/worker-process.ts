import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { runProgram } from './api-process.js';

/** The built worker, running as it runs in production. */
export interface WorkerProcess {
  /** Where it serves its metrics, when it was given a port for them. */
  readonly url: string | undefined;
  readonly process: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  output(): string;
  kill(): Promise<void>;
}

interface WorkerOptions {
  databaseUrl: string;
  mailProviderUrl: string;
  env?: Record<string, string>;
}

/** Starts a worker that ends with the calling test, and resolves when it works. */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const worker = await start(options);
  onTestFinished(worker.kill);
  return worker;
}

/** One worker for all tests of the calling file or block. */
export function useWorker(options: () => WorkerOptions): void {
  let worker: WorkerProcess | undefined;
  beforeAll(async () => {
    worker = await start(options());
  });
  afterAll(() => worker?.kill());
}

async function start({ databaseUrl, mailProviderUrl, env }: WorkerOptions): Promise<WorkerProcess> {
  const program = runProgram('worker.js', {
    DATABASE_URL: databaseUrl,
    MAIL_PROVIDER_URL: mailProviderUrl,
    ...env,
  });
  const kill = async (): Promise<void> => {
    program.process.kill('SIGKILL');
    await program.ended;
  };
  const first = await Promise.race([once(program.process, 'message'), program.ended]);
  if (!Array.isArray(first)) throw new Error(`The worker did not start (${first}). ${program.output()}`);
  const [{ url }] = first as [{ type: 'listening'; url?: string }];
  return { url, kill, ...program };
}

/** Runs the command that lists parked jobs and has them worked again, and returns what it wrote. */
export async function runJobsCommand(databaseUrl: string, args: string[] = []): Promise<string> {
  const child = fork(fileURLToPath(new URL('../dist/jobs-command.js', import.meta.url)), args, {
    env: { DATABASE_URL: databaseUrl },
    execArgv: [],
    silent: true,
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  const output = Buffer.concat(chunks).toString();
  if (code !== 0) throw new Error(output);
  return output;
}
