import type { DataSource } from 'typeorm';

/** A job that was tried too often and waits for a person. */
export interface ParkedJob {
  queue: string;
  id: string;
  tries: number;
  lastError: string | null;
  ageSeconds: number;
}

/** All parked jobs, oldest first. */
export async function findParkedJobs(dataSource: DataSource): Promise<ParkedJob[]> {
  return dataSource.query(
    `select name as queue, id, retry_count + 1 as tries,
            coalesce(output ->> 'message', output -> 'value' ->> 'message') as "lastError",
            extract(epoch from clock_timestamp() - created_on)::integer as "ageSeconds"
       from pgboss.job where state = 'failed' order by created_on, id`,
  );
}

/**
 * Has parked jobs worked again, with all their tries, and returns how many. Not pg-boss's own `retry`: it leaves the
 * mark of the end on the job, and with that an old one is archived before any worker sees it.
 */
export async function retryParkedJobs(
  dataSource: DataSource,
  which: { id: string } | 'all',
): Promise<number> {
  const [, count] = await dataSource.query<[object[], number]>(
    `update pgboss.job
        set state = 'retry', retry_count = 0, started_on = null, completed_on = null, start_after = now()
      where state = 'failed' and ($1::uuid is null or id = $1)`,
    [which === 'all' ? null : which.id],
  );
  return count;
}
