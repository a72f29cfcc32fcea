import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { readConfig } from './config.js';
import { asNestLogger, createLog } from './observability/log.js';
import { Metrics } from './observability/metrics.js';
import { requireMigrations } from './pending-migrations.js';
import { announce, failToStart, onStop, stopDeadlineMs } from './process-lifecycle.js';
import { requireIndexes } from './required-indexes.js';
import { dutiesOf } from './worker/duties.js';
import { MetricsServer } from './worker/metrics-server.js';
import { WorkerModule } from './worker/worker.module.js';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ name: 'worker', level: config.LOG_LEVEL });
  const app = await NestFactory.createApplicationContext(WorkerModule.forRoot(config), {
    logger: asNestLogger(log),
    abortOnError: false,
  });
  const dataSource = app.get(DataSource);
  await requireMigrations(dataSource);
  await requireIndexes(dataSource);
  const { METRICS_PORT: port, HOST: host } = config;
  const watched = port === undefined ? undefined : new MetricsServer(new Metrics(dataSource), { port, host });
  await watched?.start();
  const duties = dutiesOf(app, config, log);
  for (const duty of duties) await duty.start();
  onStop(async () => {
    await Promise.all(duties.map((duty) => duty.stop()));
    await watched?.stop();
    await app.close();
    await new Promise((flushed) => log.flush(flushed));
  }, stopDeadlineMs(config.LEASE_MS));
  announce(watched?.url);
}

start().catch(failToStart);
