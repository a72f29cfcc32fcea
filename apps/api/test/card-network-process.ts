import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CardOperations, TestCard } from '@pay-once/contracts';
import { databaseUrls, dropDatabase } from './postgres-cluster.js';

type RecordedOperation = CardOperations['operations'][number];

interface SentMail {
  sequence: number;
  id: string;
  to: string;
  subject: string;
  createdAt: string;
}

/** What goes wrong, by the network's words: `card_reply_lost` is the card of `reply_lost`. */
type CardFault<Card extends TestCard> = Card extends 'card_visa_approved' | 'card_declined'
  ? never
  : Card extends `card_${infer Word}`
    ? Word
    : never;

/** A fault for the next `times` requests (1 when left out), or the next ones of one reference. */
export interface ArmedFault {
  fault: CardFault<TestCard> | 'decline';
  on: 'authorisations' | 'refunds' | 'operations' | 'mails';
  reference?: string;
  times?: number;
  delayMs?: number;
}

/** The most rows that the network lists at once. */
const PAGE_ROWS_MAX = 1_000;

/** The built card network with a database of its own: a process that can be killed and started again. */
export class CardNetwork {
  #process: ChildProcess | undefined;

  private constructor(
    readonly databaseName: string,
    private readonly port: number,
    private readonly env: Record<string, string>,
  ) {}

  /** Makes the database and starts the process. `env` is added to its environment, such as `RETENTION_MS`. */
  static async open(env: Record<string, string> = {}): Promise<CardNetwork> {
    const name = `card_network_test_${randomUUID().replaceAll('-', '')}`;
    const { owner } = databaseUrls(name);
    const network = new CardNetwork(name, await freePort(), env);
    const migrating = run('migrate.js', { MIGRATION_DATABASE_URL: owner, DATABASE_URL: network.runUrl });
    const [code] = await once(migrating.process, 'close');
    if (code !== 0) throw new Error(`The card network cannot migrate. ${migrating.output()}`);
    await network.start();
    return network;
  }

  /** The same before and after a restart. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the process on the same port and database; resolves when it listens. */
  async start(): Promise<void> {
    const { process, output } = run('main.js', {
      DATABASE_URL: this.runUrl,
      PORT: String(this.port),
      ADMIN: 'on',
      LOG_LEVEL: 'warn',
      ...this.env,
    });
    this.#process = process;
    const first = await Promise.race([
      once(process, 'message'),
      once(process, 'exit').then(([code]) => String(code)),
    ]);
    if (!Array.isArray(first)) throw new Error(`The card network did not start (${first}). ${output()}`);
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    await dropDatabase(this.databaseName);
  }

  /** What the network has done, oldest first; of one reference, or all of it. */
  async operations(reference?: string): Promise<RecordedOperation[]> {
    const all = await this.readAll<RecordedOperation>('operations');
    return reference === undefined ? all : all.filter((operation) => operation.reference === reference);
  }

  /** The mails that were sent, oldest first. */
  mails(): Promise<SentMail[]> {
    return this.readAll<SentMail>('mails');
  }

  async arm(fault: ArmedFault): Promise<void> {
    await this.administer('POST', '/admin/faults', fault);
  }

  /** Takes back every armed fault, and lets look-ups know everything. */
  async disarm(): Promise<void> {
    await this.administer('DELETE', '/admin/faults');
  }

  /** As if it was started again without memory: every key is new to it. */
  async forgetKeys(): Promise<void> {
    await this.administer('POST', '/admin/forget-keys');
  }

  private get runUrl(): string {
    const url = new URL(databaseUrls(this.databaseName).owner);
    url.username = 'card_network_app';
    return url.href;
  }

  private async readAll<Row extends { sequence: number }>(record: 'operations' | 'mails'): Promise<Row[]> {
    const rows: Row[] = [];
    for (;;) {
      const after = rows.at(-1)?.sequence ?? 0;
      const reply = await fetch(`${this.url}/${record}?after=${after}&limit=${PAGE_ROWS_MAX}`);
      if (!reply.ok) throw new Error(`The card network answers ${reply.status}. ${await reply.text()}`);
      const page = ((await reply.json()) as Record<string, Row[]>)[record] ?? [];
      rows.push(...page);
      if (page.length < PAGE_ROWS_MAX) return rows;
    }
  }

  private async administer(method: string, path: string, body?: unknown): Promise<void> {
    const reply = await fetch(this.url + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (reply.status !== 204) throw new Error(`${path} answers ${reply.status}. ${await reply.text()}`);
  }
}

function run(file: string, env: Record<string, string>): { process: ChildProcess; output: () => string } {
  const program = fileURLToPath(new URL(`../../card-network/dist/${file}`, import.meta.url));
  const child = fork(program, { env, execArgv: [], silent: true });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  return { process: child, output: () => Buffer.concat(chunks).toString() };
}

/**
 * A port that is free now. Below those that systems take for outgoing connections, so that it is the network's again
 * after a restart.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    probe.close();
    if (isFree) return port;
  }
}
