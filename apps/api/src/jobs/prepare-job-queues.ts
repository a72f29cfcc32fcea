import PgBoss from 'pg-boss';
import { JOB_QUEUES } from './job-queues.js';

/** A job that waits is never thrown away: long before this somebody has noticed. */
const WAITING_KEPT_MINUTES = 10 * 365 * 24 * 60;

export interface JobSettings {
  /** How often a job is tried before it is parked. */
  triesMax: number;
  /** The pause after the first failed try; it doubles with every further one. */
  retryDelaySeconds: number;
  /** How long a worker may be silent about a job before another gets it. */
  leaseSeconds: number;
}

/** Makes or updates the queue's schema and the queues, as the owner. The settings hold for jobs enqueued from now on. */
export async function prepareJobQueues(ownerUrl: string, settings: JobSettings): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    application_name: 'migrate',
    max: 1,
    migrate: true,
    supervise: false,
    schedule: false,
  });
  boss.on('error', (error) => console.warn(error.message));
  await boss.start();
  try {
    for (const name of JOB_QUEUES) {
      const queue = {
        name,
        retryLimit: settings.triesMax - 1,
        retryDelay: settings.retryDelaySeconds,
        retryBackoff: true,
        expireInSeconds: settings.leaseSeconds,
        retentionMinutes: WAITING_KEPT_MINUTES,
      };
      await boss.createQueue(name, { ...queue });
      await boss.updateQueue(name, { ...queue });
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
