import PgBoss from 'pg-boss';
import type { EntityManager } from 'typeorm';
import type { JobQueue } from './job-queues.js';

/** Never started: it only writes the statement, which runs on the connection of the caller's transaction. */
const producer = new PgBoss({
  db: { executeSql: () => Promise.reject(new Error('A job is enqueued in its caller’s transaction.')) },
});

export interface Job {
  /** Also the mark by which a second delivery is known: every job has its own. */
  id: string;
  /** At most one job with the same key waits in a queue. */
  singletonKey?: string;
  /** Ids only: what they stand for is read when the job is worked, and is never copied into a queue. */
  data: Record<string, string>;
}

/** Adds a job in the transaction of `manager`: it is there when that commits, and was never there otherwise. */
export async function enqueue(
  manager: EntityManager,
  queue: JobQueue,
  { data, ...options }: Job,
): Promise<void> {
  const db = {
    executeSql: async (text: string, values: unknown[]) => ({ rows: await manager.query(text, values) }),
  };
  await producer.send(queue, data, { ...options, db });
}
