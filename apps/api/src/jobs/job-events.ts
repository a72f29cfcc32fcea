import { channel } from 'node:diagnostics_channel';
import type { JobQueue } from './job-queues.js';

/** What became of one delivery of a job. */
export interface JobEvent {
  /** `skipped`: an earlier delivery had its effect already. `parked`: tried too often, and waits for a person. */
  event: 'done' | 'skipped' | 'retried' | 'parked';
  queue: JobQueue;
  jobId: string;
  /** This one included. */
  tries: number;
  /** Why it was not done. */
  reason?: string;
}

const jobs = channel('pay-once:jobs');

export function publishJob(event: JobEvent): void {
  jobs.publish(event);
}

/** Calls the listener for every delivery that ends in this process. */
export function observeJobs(listener: (event: JobEvent) => void): void {
  jobs.subscribe((event) => listener(event as JobEvent));
}
