import type { DataSource, EntityManager } from 'typeorm';

const SWEEP_BATCH_MAX = 1_000;

/** Whether an earlier delivery of the job has had its effect. */
export async function isProcessed(manager: EntityManager, jobId: string): Promise<boolean> {
  const rows: object[] = await manager.query('select from processed_jobs where id = $1', [jobId]);
  return rows.length > 0;
}

/** Marks the job in the transaction of its effect; `again` when another delivery was quicker. */
export async function markProcessed(manager: EntityManager, jobId: string): Promise<'first' | 'again'> {
  const rows: object[] = await manager.query(
    'insert into processed_jobs (id) values ($1) on conflict do nothing returning id',
    [jobId],
  );
  return rows.length > 0 ? 'first' : 'again';
}

/** Deletes, batch by batch until `signal` aborts, the marks that are older than any delivery can still be. */
export async function sweepProcessedJobs(
  dataSource: DataSource,
  keptDays: number,
  signal: AbortSignal,
): Promise<void> {
  let count: number;
  do {
    [, count] = await dataSource.query<[object[], number]>(
      `delete from processed_jobs where id in (
         select id from processed_jobs where processed_at < clock_timestamp() - make_interval(days => $1)
          limit $2 for update skip locked)`,
      [keptDays, SWEEP_BATCH_MAX],
    );
  } while (count === SWEEP_BATCH_MAX && !signal.aborted);
}
