import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readConfig } from './config.js';
import { HealthController } from './health.controller.js';
import { createHttpServer } from './http-server.js';
import { createLog } from './observability/log.js';
import { startTraces } from './observability/traces.js';
import { announce, failToStart, onStop, stopDeadlineMs } from './process-lifecycle.js';

/** How long connections may still bring requests after stopping began, for a balancer to notice. */
const DRAIN_MS = 1_000;

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ name: 'api', level: config.LOG_LEVEL });
  const endTraces = await startTraces(process.env);
  const app = await createHttpServer(config, log);
  let closing = false;
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (_request: unknown, reply: { header(name: string, value: string): unknown }) => {
      if (closing) reply.header('connection', 'close');
    });
  await app.listen(config.PORT, config.HOST);
  onStop(async () => {
    closing = true;
    app.get(HealthController).stop();
    await close(app);
    await endTraces();
    await new Promise((flushed) => log.flush(flushed));
  }, stopDeadlineMs(config.LEASE_MS));
  announce(await app.getUrl());
}

/** Every request that came in is answered before the process ends. */
async function close(app: NestFastifyApplication): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  const idle = setInterval(() => app.getHttpServer().closeIdleConnections(), 50);
  await app.close();
  clearInterval(idle);
}

start().catch(failToStart);
