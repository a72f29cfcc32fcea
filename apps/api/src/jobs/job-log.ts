import type { Logger } from 'pino';
import { observeJobs } from './job-events.js';

/** Writes a line for each delivery of a job: ids and counts, never a key, a name or an address. */
export function logJobs(log: Logger): void {
  observeJobs(({ event, ...line }) => {
    if (event === 'parked') log.error({ event, ...line }, 'job parked');
    else log.info({ event, ...line }, `job ${event}`);
  });
}
