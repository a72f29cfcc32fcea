import { BadRequestException, StandardSchemaValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { requireMigrations } from './database.js';
import { logRequests } from './log.js';
import { ProblemFilter } from './problem.filter.js';

/** The longest mail, every character of it escaped. */
const BODY_BYTES_MAX = 256 * 1024;

/** The network with everything around it, ready to listen. */
export async function createHttpServer(config: Config, log: Logger): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Some answers never end; they must not keep the process.
    forceCloseConnections: true,
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), adapter, {
    logger: false,
    abortOnError: false,
  });
  await requireMigrations(app.get(DataSource));

  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  // Node drops headers beyond a count without a word, and a second key could be among them. Bytes are the limit.
  fastify.server.maxHeadersCount = 0;
  logRequests(fastify, log);
  app.useGlobalPipes(
    new StandardSchemaValidationPipe({
      exceptionFactory: (issues) => new BadRequestException(describeIssues(issues)),
    }),
  );
  app.useGlobalFilters(new ProblemFilter());
  return app;
}

/** Says where the request is wrong, never what it said there. */
function describeIssues(issues: readonly { path?: readonly unknown[] | undefined }[]): string {
  const places = issues.map((issue) => (issue.path ?? []).map(String).join('.') || 'the whole');
  return `Not valid: ${[...new Set(places)].join(', ')}.`;
}
