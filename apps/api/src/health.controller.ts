import { Controller, Get } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { requireMigrations } from './pending-migrations.js';

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
    await requireMigrations(this.dataSource);
    return { status: 'ok' };
  }
}
