import { Controller, Get } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { describePending, findPendingMigrations } from './pending-migrations.js';
import { unavailable } from './problem-error.js';
import { LateAnswerError, queryWithin } from './query-within.js';

/** Whoever probes gives up soon after, and a database that is connected but silent would never answer. */
const READY_WITHIN_MS = 1_500;

@Controller()
export class HealthController {
  private isStopping = false;

  constructor(private readonly dataSource: DataSource) {}

  /** The process lives. Says nothing about the database. */
  @Get('healthz')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** The process can take a payment: Postgres answers and its schema is the one that this build was made for. */
  @Get('readyz')
  async ready(): Promise<{ status: 'ok' }> {
    if (this.isStopping) throw unavailable('This process is stopping.');
    const pending = await findPendingMigrations((sql) =>
      queryWithin(this.dataSource, READY_WITHIN_MS, sql),
    ).catch((error: unknown) => {
      // Whatever it was, nobody can tell that the schema is the right one.
      throw unavailable(
        error instanceof LateAnswerError ? error.message : 'The database could not be asked.',
      );
    });
    if (pending.length > 0) throw unavailable(describePending(pending));
    return { status: 'ok' };
  }

  /** From now on it is not ready, so that a balancer sends no more requests. */
  stop(): void {
    this.isStopping = true;
  }
}
