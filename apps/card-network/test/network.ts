import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CardOperations } from '@pay-once/contracts';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Reply, send } from './http-request.js';

type RecordedOperation = CardOperations['operations'][number];

/** The built network as a process, on a database of its own. */
export class Network {
  readonly databaseName = `card_network_own_test_${randomUUID().replaceAll('-', '')}`;
  #running: { process: ChildProcess; url: string; output: () => string } | undefined;

  constructor(private readonly env: Record<string, string>) {}

  get url(): string {
    return this.running.url;
  }

  /** What the process has written so far. */
  get output(): string {
    return this.running.output();
  }

  get process(): ChildProcess {
    return this.running.process;
  }

  async open(): Promise<void> {
    await this.migrate();
    await this.start();
  }

  async migrate(args: string[] = []): Promise<void> {
    const program = run('migrate.js', this.environment, args);
    const [code] = await once(program.process, 'close');
    if (code !== 0) throw new Error(program.output());
  }

  async start(env: Record<string, string> = {}): Promise<void> {
    const program = run('main.js', { ...this.environment, ...env });
    const ended = once(program.process, 'close').then(() => undefined);
    const message = await Promise.race([once(program.process, 'message'), ended]);
    if (message === undefined) throw new Error(`The network did not start. ${program.output()}`);
    const [{ url }] = message as [{ type: 'listening'; url: string }];
    this.#running = { ...program, url };
  }

  /** Ends it, by kill -9 or in good order, and starts it again. */
  async restart(signal: 'SIGKILL' | 'SIGTERM', env: Record<string, string> = {}): Promise<void> {
    await this.end(signal);
    await this.start(env);
  }

  async close(): Promise<void> {
    await this.end('SIGKILL');
    await onDatabase('postgres', (client) =>
      client.query(`drop database if exists ${this.databaseName} with (force)`),
    );
  }

  /** Posts a body, under a new key when none is given. Rejects when the connection breaks. */
  post(path: string, body: unknown, key: string = randomUUID()): Promise<Reply> {
    return send(this.url + path, { method: 'POST', headers: { 'idempotency-key': key }, body });
  }

  get(path: string): Promise<Reply> {
    return send(this.url + path, { method: 'GET' });
  }

  /** What the record says was done under this reference. */
  async recorded(reference: string): Promise<RecordedOperation[]> {
    const { operations } = JSON.parse((await this.get('/operations?limit=1000')).text) as CardOperations;
    return operations.filter((operation) => operation.reference === reference);
  }

  async arm(fault: Record<string, unknown>): Promise<void> {
    const { status, text } = await this.post('/admin/faults', fault);
    if (status !== 204) throw new Error(`Not armed: ${text}`);
  }

  async disarm(): Promise<void> {
    await send(`${this.url}/admin/faults`, { method: 'DELETE' });
  }

  /** Runs SQL as the owner of the database, or as the role that the process runs as. */
  async sql(text: string, as: 'owner' | 'process' = 'owner'): Promise<unknown[]> {
    const role = as === 'process' ? RUN_ROLE : undefined;
    return onDatabase(this.databaseName, async (client) => (await client.query(text)).rows, role);
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#running === undefined) return;
    const { process } = this.#running;
    this.#running = undefined;
    const exited = once(process, 'exit');
    if (!process.kill(signal)) return;
    const [code] = (await exited) as [number | null];
    if (signal === 'SIGTERM' && code !== 0) throw new Error(`It ended badly (${code}).`);
  }

  private get environment(): Record<string, string> {
    return {
      MIGRATION_DATABASE_URL: databaseUrl(this.databaseName),
      DATABASE_URL: databaseUrl(this.databaseName, RUN_ROLE),
      PORT: '0',
      ADMIN: 'on',
      ...this.env,
    };
  }

  private get running(): { process: ChildProcess; url: string; output: () => string } {
    if (this.#running === undefined) throw new Error('The network does not run.');
    return this.#running;
  }
}

/** Opens a network before the file's tests and closes it after them. */
export function useNetwork(env: Record<string, string> = {}): Network {
  const network = new Network(env);
  beforeAll(() => network.open());
  afterAll(() => network.close());
  return network;
}

/** A payment that nobody has asked for yet. */
export function newAuthorisation(card: string): {
  reference: string;
  card: string;
  amountMinor: number;
  currency: string;
} {
  return { reference: randomUUID(), card, amountMinor: 150_000_000, currency: 'IDR' };
}

const RUN_ROLE = 'card_network_app';

function databaseUrl(name: string, role?: string): string {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${name}`;
  if (role !== undefined) url.username = role;
  return url.href;
}

async function onDatabase<T>(name: string, work: (client: Client) => Promise<T>, role?: string): Promise<T> {
  const client = new Client({ connectionString: databaseUrl(name, role) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function run(
  file: string,
  env: Record<string, string>,
  args: string[] = [],
): { process: ChildProcess; output: () => string } {
  const program = fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
  const child = fork(program, args, { env, execArgv: [], silent: true });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  return { process: child, output: () => Buffer.concat(chunks).toString() };
}
