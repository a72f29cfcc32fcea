import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runProgram } from './api-process.js';
import type { MailProvider } from './mail-provider.js';

/** The built worker, running as it runs in production. It ends with the test. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  output(): string;
  kill(): Promise<void>;
}

interface WorkerOptions {
  databaseUrl: string;
  mailProvider: Pick<MailProvider, 'url'>;
  env?: Record<string, string>;
}

/** Starts a worker for the test that runs, and resolves when it works. */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const worker = await runWorker(options);
  onTestFinished(worker.kill);
  return worker;
}

/** Starts a worker that runs until it is killed. */
export async function runWorker({ databaseUrl, mailProvider, env }: WorkerOptions): Promise<WorkerProcess> {
  const program = runProgram('worker.js', {
    DATABASE_URL: databaseUrl,
    MAIL_PROVIDER_URL: mailProvider.url,
    ...env,
  });
  const kill = async (): Promise<void> => {
    program.process.kill('SIGKILL');
    await program.ended;
  };
  const first = await Promise.race([once(program.process, 'message'), program.ended]);
  if (!Array.isArray(first)) throw new Error(`The worker did not start (${first}). ${program.output()}`);
  return { kill, ...program };
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
