import 'reflect-metadata';
import { IdempotencySweeper } from '@pay-once/idempotency-server';
import { readConfig } from './config.js';
import { createHttpServer } from './http-server.js';
import { createLog } from './log.js';
import { announce, failToStart, onStop } from './process-lifecycle.js';

/** Forgotten keys do no harm while they wait. */
const SWEEP_EVERY_MS = 60_000;
const STOP_DEADLINE_MS = 5_000;

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  const app = await createHttpServer(config, log);
  await app.listen(config.PORT, config.HOST);
  const sweeper = app.get(IdempotencySweeper);
  const timer = setInterval(() => {
    sweeper.sweep().catch((error: unknown) => log.error(`The sweep failed. ${String(error)}`));
  }, SWEEP_EVERY_MS);
  onStop(async () => {
    clearInterval(timer);
    await app.close();
  }, STOP_DEADLINE_MS);
  announce({ type: 'listening', url: await app.getUrl() });
}

start().catch(failToStart);
