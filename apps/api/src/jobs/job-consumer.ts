import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { inShortTransaction } from '../short-transaction.js';
import type { JobHandler } from './job-handler.js';
import type { JobQueue } from './job-queues.js';
import { logJob } from './job-report.js';
import { isProcessed, markProcessed } from './processed-jobs.js';

/** Jobs of one queue that are worked side by side: one that takes long holds up no others. */
const JOBS_AT_ONCE = 5;
/** How long a new job waits for an idle worker at most. */
const POLL_MS = 500;
const REASON_LENGTH_MAX = 300;

interface ConsumerOptions<Data> {
  boss: PgBoss;
  dataSource: DataSource;
  log: Logger;
  queue: JobQueue;
  handler: JobHandler<Data>;
}

/**
 * Works the jobs of one queue. Its own loop, not pg-boss's `work`, which does not wait for its acknowledgements:
 * one that fails would end the process, and one under way would be lost when the worker stops.
 */
export class JobConsumer<Data> {
  readonly #stopping = new AbortController();
  #working: Promise<void> = Promise.resolve();

  constructor(private readonly options: ConsumerOptions<Data>) {}

  start(): void {
    this.#working = this.#work();
  }

  /** Takes no more jobs and finishes those it has. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    const underWay = new Set<Promise<void>>();
    while (!signal.aborted) {
      const room = JOBS_AT_ONCE - underWay.size;
      const jobs = await this.#fetch(room);
      for (const job of jobs) {
        const delivery = this.#deliver(job).finally(() => underWay.delete(delivery));
        underWay.add(delivery);
      }
      if (jobs.length < room) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
      // As soon as one is done the next is fetched, however long the others take.
      else await Promise.race(underWay);
    }
    await Promise.all(underWay);
  }

  async #fetch(batchSize: number): Promise<PgBoss.JobWithMetadata[]> {
    const { boss, log, queue } = this.options;
    const db = boss.getDb();
    return boss.fetch(queue, {
      includeMetadata: true,
      batchSize,
      db: {
        // A fetch that fails looks like an empty queue to its caller; somebody has to hear of it.
        executeSql: async (text, values) => {
          try {
            return await db.executeSql(text, values);
          } catch (error) {
            log.warn({ queue, reason: reasonOf(error) }, 'jobs could not be fetched');
            throw error;
          }
        },
      },
    });
  }

  async #deliver(job: PgBoss.JobWithMetadata): Promise<void> {
    const { boss, log, queue } = this.options;
    try {
      const outcome = await this.#handle(job);
      await boss.complete(queue, job.id);
      logJob(log, { outcome, queue, jobId: job.id, tries: job.retryCount + 1 });
    } catch (error) {
      await this.#giveBack(job, reasonOf(error));
    }
  }

  async #handle(job: PgBoss.JobWithMetadata): Promise<'done' | 'skipped'> {
    const { dataSource, handler } = this.options;
    if (await isProcessed(dataSource.manager, job.id)) return 'skipped';
    const data = handler.dataSchema.parse(job.data);
    await handler.askOutside(data);
    return inShortTransaction(dataSource, async (manager) => {
      if ((await markProcessed(manager, job.id)) === 'again') return 'skipped';
      await handler.record(manager, data);
      return 'done';
    });
  }

  /** Never rejects: what cannot even be given back comes to a worker again when its lease has run out. */
  async #giveBack(job: PgBoss.JobWithMetadata, reason: string): Promise<void> {
    const { boss, log, queue } = this.options;
    try {
      await boss.fail(queue, job.id, { message: reason });
      const outcome = job.retryCount < job.retryLimit ? 'retried' : 'parked';
      logJob(log, { outcome, queue, jobId: job.id, tries: job.retryCount + 1, reason });
    } catch (error) {
      log.warn({ queue, jobId: job.id, reason: reasonOf(error) }, 'a job could not be given back');
    }
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, REASON_LENGTH_MAX);
}
