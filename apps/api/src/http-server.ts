import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import { StandardSchemaValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { corsOptions } from './cross-origin.js';
import { isFormPost } from './documents/form-pages.js';
import { PAGE_SHELL, type PageShell } from './documents/page-shell.js';
import { addFirstChecks } from './first-checks.js';
import { refuseOtherMethods } from './known-addresses.js';
import { asNestLogger } from './observability/log.js';
import { Metrics } from './observability/metrics.js';
import { logRequests } from './observability/request-log.js';
import { traceRequests } from './observability/traces.js';
import { requireMigrations } from './pending-migrations.js';
import { ProblemFilter } from './problem.filter.js';
import { ProblemError } from './problem-error.js';
import { requireIndexes } from './required-indexes.js';
import { HELMET } from './security-headers.js';
import { parseStrictJson } from './strict-json.js';
import { UnreadableRequests } from './unreadable-requests.js';

/** How often Node looks for clients that take too long; its default of 30 seconds would be what counts. */
const TIMEOUT_CHECK_MS = 1_000;

/** The API with everything around it, ready to listen. */
export async function createHttpServer(config: Config, log: Logger): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: config.BODY_BYTES_MAX,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: config.HEADER_BYTES_MAX,
      headersTimeout: config.HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Asked for in the first checks: Node's own refusal has no body.
      requireHostHeader: false,
    },
    // However long an id is, its route answers for it, after the checks that come first everywhere.
    routerOptions: { maxParamLength: config.HEADER_BYTES_MAX },
    genReqId: () => randomUUID(),
    rewriteUrl: withoutOrigin,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      unreadable.refuseBytes(error, socket),
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      unreadable.refuseAddress(request, reply),
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), adapter, {
    bodyParser: false,
    logger: asNestLogger(log),
    abortOnError: false,
  });
  await requireMigrations(app.get(DataSource));
  await requireIndexes(app.get(DataSource));

  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const shell = app.get<PageShell>(PAGE_SHELL);
  const unreadable = new UnreadableRequests(config, shell);
  unreadable.watch(fastify.server);
  // Node drops headers beyond a count without a word, and a second key could be among them. Bytes are the limit.
  fastify.server.maxHeadersCount = 0;
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); Node's own refusal has no body.
  fastify.server.on('checkExpectation', (request, response) => {
    fastify.server.emit('request', request, response);
  });
  const filter = new ProblemFilter(shell);
  // Plugins register their routes before Nest installs its filters: those routes would fail in Fastify's own words.
  fastify.addHook('onRoute', (route) => {
    route.errorHandler = (thrown, request, reply) => filter.answer(thrown, request, reply);
  });
  // The observers first: they see the requests that the checks below refuse, too.
  logRequests(fastify, log);
  app.get(Metrics).listen(fastify);
  traceRequests(fastify);
  await fastify.register(cors, corsOptions(config));
  await fastify.register(cookie);
  await fastify.register(rateLimit, { global: false });
  await fastify.register(helmet, HELMET);
  addBodyParsers(fastify, config);
  addFirstChecks(fastify, app.get(DataSource), config);
  refuseOtherMethods(fastify);
  if (config.WEB_DIST !== undefined) {
    await fastify.register(fastifyStatic, {
      root: join(config.WEB_DIST, 'assets'),
      prefix: '/assets/',
      wildcard: false,
      index: false,
      immutable: true,
      maxAge: '1y',
    });
  }

  app.useGlobalPipes(
    new StandardSchemaValidationPipe({
      exceptionFactory: (issues) => new ProblemError('request_invalid', describeIssues(issues)),
    }),
  );
  app.useGlobalFilters(filter);
  return app;
}

function addBodyParsers(fastify: FastifyInstance, { BODY_DEPTH_MAX: depthMax }: Config): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      requireUtf8(request);
      done(null, parseStrictJson(String(body), { depthMax }));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request: FastifyRequest, body, done) => {
      // The API speaks JSON; a form of another site cannot send that.
      if (!isFormPost(request))
        return done(new ProblemError('unsupported_media_type', 'Send application/json.'));
      const fields = new URLSearchParams(String(body));
      const names = [...fields.keys()];
      const repeated = names.find((name, index) => names.indexOf(name) < index);
      if (repeated === undefined) return done(null, Object.fromEntries(fields));
      // Two values of one field: two readers could each take another one, as with two headers.
      const code = repeated === 'idempotencyKey' ? 'idempotency_key_invalid' : 'request_invalid';
      done(new ProblemError(code, 'The form holds a field twice.'));
    },
  );
}

/** What is not plain UTF-8 would be read as something that was not sent. */
function requireUtf8({ headers }: FastifyRequest): void {
  const charset = /charset="?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (charset.toLowerCase() === 'utf-8' && encoding.toLowerCase() === 'identity') return;
  throw new ProblemError('unsupported_media_type', 'Send JSON as UTF-8, without compression.');
}

/** Says where the body is wrong, never what it said there. */
function describeIssues(
  issues: readonly { message: string; path?: readonly unknown[] | undefined }[],
): string {
  const places = issues.map((issue) => {
    const path = (issue.path ?? []).map((part) => String(part)).join('.');
    return path === '' ? 'the body, or a member that is not known' : path;
  });
  return `Not valid: ${[...new Set(places)].join(', ')}.`;
}

/** A target may be a whole URL (RFC 9112, 3.2.2). The router takes its path, and so must everybody who looks at it. */
function withoutOrigin({ url = '/' }: { url?: string | undefined }): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '';
  return path.startsWith('/') || url === '*' ? path : `/${path}`;
}
