import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { readConfig } from './config.js';
import { asNestLogger, createLog } from './observability/log.js';
import { requireMigrations } from './pending-migrations.js';
import { announce, failToStart, onStop } from './process-lifecycle.js';
import { dutiesOf } from './worker/duties.js';
import { WorkerModule } from './worker/worker.module.js';

const STOP_DEADLINE_MS = 10_000;

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ name: 'worker', level: config.LOG_LEVEL });
  const app = await NestFactory.createApplicationContext(WorkerModule.forRoot(config), {
    logger: asNestLogger(log),
    abortOnError: false,
  });
  await requireMigrations(app.get(DataSource));
  const duties = dutiesOf(app, config, log);
  for (const duty of duties) await duty.start();
  onStop(async () => {
    await Promise.all(duties.map((duty) => duty.stop()));
    await app.close();
    await new Promise((flushed) => log.flush(flushed));
  }, STOP_DEADLINE_MS);
  announce({ type: 'listening' });
}

start().catch(failToStart);
