import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
// @ts-expect-error: a script of the workspace, which has no types
import { fixtureProgram } from '../fixture/build.mjs';

/** One process of the fixture app. */
export class FixtureProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Starts it on a free port and resolves once it listens. */
  static async start(env: { DATABASE_URL: string; RETENTION_MS?: string }): Promise<FixtureProcess> {
    const child = spawn(process.execPath, [fixtureProgram], {
      env: { PATH: process.env['PATH'], PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(child.stdout)) {
      const url = /listens at (\S+)/.exec(line)?.[1];
      if (url !== undefined) return new FixtureProcess(url, child);
    }
    throw new Error('The fixture has ended before it listened.');
  }

  /** Ends it, and resolves once it is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }

  async post(path: string, key: string | undefined, init: RequestInit = {}): Promise<Reply> {
    const headers = new Headers(init.headers);
    if (key !== undefined) headers.set('idempotency-key', key);
    const response = await fetch(this.url + path, { method: 'POST', ...init, headers });
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
      isReplayed: response.headers.get('idempotent-replayed') === 'true',
    };
  }

  async count(): Promise<number> {
    const response = await fetch(`${this.url}/counter`);
    return ((await response.json()) as { count: number }).count;
  }
}

interface Reply {
  status: number;
  headers: Headers;
  body: Buffer;
  isReplayed: boolean;
}
