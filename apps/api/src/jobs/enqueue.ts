import PgBoss from 'pg-boss';
import type { EntityManager } from 'typeorm';
import type { JobQueue } from './job-queues.js';

/** Never started: it only writes the statement, which runs on the connection of the caller's transaction. */
const producer = new PgBoss({
  db: { executeSql: () => Promise.reject(new Error('A job is enqueued in its caller’s transaction.')) },
});

export interface Job {
  /** What it is for has one id: a second job with the same id is not added, or has no effect. */
  id: string;
  /** Ids only: what they stand for is read when the job is worked, and is never copied into a queue. */
  data: Record<string, string>;
}

/** Adds a job in the transaction of `manager`: it is there when that commits, and was never there otherwise. */
export async function enqueue(manager: EntityManager, queue: JobQueue, { id, data }: Job): Promise<void> {
  const db = {
    executeSql: async (text: string, values: unknown[]) => ({ rows: await manager.query(text, values) }),
  };
  await producer.send(queue, data, { id, db });
}
