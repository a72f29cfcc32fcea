import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Duty } from './duty.js';

interface PeriodicOptions {
  /** What it does, as the log says it. */
  name: string;
  pauseMs: number;
  log: Logger;
  /** Ends soon after `signal` aborts. */
  work: (signal: AbortSignal) => Promise<unknown>;
}

/** Does one thing again and again, with a pause after each. What fails is logged and done again after the pause. */
export class PeriodicDuty implements Duty {
  readonly #stopping = new AbortController();
  #working: Promise<void> = Promise.resolve();

  constructor(private readonly options: PeriodicOptions) {}

  async start(): Promise<void> {
    this.#working = this.#repeat();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  async #repeat(): Promise<void> {
    const { name, pauseMs, log, work } = this.options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        // What fails because it is being stopped is not news.
        if (!signal.aborted) log.error({ reason: String(error) }, `${name} failed`);
      });
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
