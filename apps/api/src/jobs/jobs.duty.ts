import type PgBoss from 'pg-boss';
import type { Duty } from '../worker/duty.js';
import type { JobConsumer } from './job-consumer.js';

/** Works the jobs of every queue, and gives those of silent workers to others. */
export class JobsDuty implements Duty {
  constructor(
    private readonly boss: PgBoss,
    private readonly consumers: Pick<JobConsumer<never>, 'start' | 'stop'>[],
  ) {}

  async start(): Promise<void> {
    await this.boss.start();
    for (const consumer of this.consumers) consumer.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
    await this.boss.stop({ graceful: false });
  }
}
