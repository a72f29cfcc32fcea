import type { DataSource } from 'typeorm';

/** What is done after a transaction, by a worker: each queue has one kind of job. */
export const JOB_QUEUES = ['e-tickets', 'messages'] as const;
export type JobQueue = (typeof JOB_QUEUES)[number];

/** Rejects when a queue is missing: a job for it would vanish without a word. */
export async function requireJobQueues(dataSource: DataSource): Promise<void> {
  const rows: { name: string }[] = await dataSource.query('select name from pgboss.queue');
  const there = new Set(rows.map((row) => row.name));
  const missing = JOB_QUEUES.filter((queue) => !there.has(queue));
  if (missing.length > 0) throw new Error(`Job queues are missing: ${missing.join(', ')}. Migrate first.`);
}
