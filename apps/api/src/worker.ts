import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule, IdempotencySweeper } from '@pay-once/idempotency-server';
import { DataSource } from 'typeorm';
import { readConfig } from './config.js';
import { dataSourceOptions } from './database.js';
import { requireMigrations } from './pending-migrations.js';
import { announce, failToStart, onStop } from './process-lifecycle.js';

/** Expired records do no harm while they wait; a minute keeps each sweep small. */
const SWEEP_EVERY_MS = 60_000;
const STOP_DEADLINE_MS = 10_000;

const config = readConfig(process.env);

@Module({
  imports: [
    TypeOrmModule.forRoot({
      ...dataSourceOptions({ url: config.DATABASE_URL, poolMax: 2, name: 'worker' }),
      retryAttempts: 0,
    }),
    IdempotencyModule.forRoot({ retentionMs: config.RETENTION_MS }),
  ],
})
class WorkerModule {}

async function start(): Promise<void> {
  const app = await NestFactory.createApplicationContext(WorkerModule, {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  await requireMigrations(app.get(DataSource));
  const sweeper = app.get(IdempotencySweeper);
  const timer = setInterval(() => {
    sweeper
      .sweep()
      .catch((error: unknown) => console.error('The sweep failed; the next one tries again.', error));
  }, SWEEP_EVERY_MS);
  onStop(async () => {
    clearInterval(timer);
    await app.close();
  }, STOP_DEADLINE_MS);
  announce({ type: 'listening' });
}

start().catch(failToStart);
