import { Controller, Get } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { requireMigrations } from './pending-migrations.js';
import { ProblemError } from './problem-error.js';

/** Whoever probes gives up soon after, and a database that is connected but silent would never answer. */
const READY_WITHIN_MS = 1_500;

@Controller()
export class HealthController {
  constructor(private readonly dataSource: DataSource) {}

  /** The process lives. Says nothing about the database. */
  @Get('healthz')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** The process can take a payment: Postgres answers and its schema is the one that this build was made for. */
  @Get('readyz')
  async ready(): Promise<{ status: 'ok' }> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const problem = new ProblemError('unavailable', 'The database did not answer in time.', {
        retryAfterSeconds: 1,
      });
      timer = setTimeout(reject, READY_WITHIN_MS, problem);
    });
    try {
      await Promise.race([requireMigrations(this.dataSource), late]);
    } finally {
      clearTimeout(timer);
    }
    return { status: 'ok' };
  }
}
