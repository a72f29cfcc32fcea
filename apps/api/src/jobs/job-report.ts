import type { Logger } from 'pino';
import type { JobQueue } from './job-queues.js';

/** What became of one delivery of a job. Ids and counts only: never a key, a name or an address. */
export interface JobReport {
  /** `skipped`: an earlier delivery had its effect already. `parked`: tried too often, and waits for a person. */
  outcome: 'done' | 'skipped' | 'retried' | 'parked';
  queue: JobQueue;
  jobId: string;
  /** This one included. */
  tries: number;
  /** Why it was not done. */
  reason?: string;
}

/** Writes a line for each delivery; one that needs a person is an error. */
export function logJob(log: Logger, report: JobReport): void {
  if (report.outcome === 'parked') log.error(report, 'job parked');
  else log.info(report, 'job delivered');
}
