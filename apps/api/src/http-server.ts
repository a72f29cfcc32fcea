import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import cors, { type FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import { StandardSchemaValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { PROBLEM_CONTENT_TYPE, PROBLEMS } from '@pay-once/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { isFormPost } from './documents/form-pages.js';
import { addFirstChecks } from './first-checks.js';
import { refuseOtherMethods } from './known-addresses.js';
import { asNestLogger } from './observability/log.js';
import { Metrics } from './observability/metrics.js';
import { logRequests } from './observability/request-log.js';
import { traceRequests } from './observability/traces.js';
import { requireMigrations } from './pending-migrations.js';
import { answerProblem, ProblemFilter } from './problem.filter.js';
import { ProblemError, problemBody } from './problem-error.js';
import { requireIndexes } from './required-indexes.js';
import { parseStrictJson } from './strict-json.js';

const BODY_BYTES_MAX = 32 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** How often Node looks for clients that take too long; its default of 30 seconds would be what counts. */
const TIMEOUT_CHECK_MS = 1_000;

/** The API with everything around it, ready to listen. */
export async function createHttpServer(config: Config, log: Logger): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: config.HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Asked for in the first checks: Node's own refusal has no body.
      requireHostHeader: false,
    },
    // However long an id is, its route answers for it, after the checks that come first everywhere.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    genReqId: () => randomUUID(),
    rewriteUrl: withoutOrigin,
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      refuseAddress(config, request, reply),
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), adapter, {
    bodyParser: false,
    logger: asNestLogger(log),
    abortOnError: false,
  });
  await requireMigrations(app.get(DataSource));
  await requireIndexes(app.get(DataSource));

  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  // Node drops headers beyond a count without a word, and a second key could be among them. Bytes are the limit.
  fastify.server.maxHeadersCount = 0;
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1); Node's own refusal has no body.
  fastify.server.on('checkExpectation', (request, response) => {
    fastify.server.emit('request', request, response);
  });
  const filter = new ProblemFilter();
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
  addBodyParsers(fastify);
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

const EXPOSED_HEADERS = [
  'Idempotent-Replayed',
  'Idempotency-Expires',
  'Retry-After',
  'Location',
  'Link',
  'Operation-Id',
  'X-Request-Id',
];

/** What a page of another origin may do and read; on errors, too. It identifies itself by token, never by cookie. */
function corsOptions(config: Config): { delegator: FastifyCorsOptionsDelegateCallback } {
  const options = {
    origin: config.WEB_ORIGINS,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  };
  return {
    // An OPTIONS that asks for nothing is no preflight; the plugin's own refusal of it is no problem body.
    delegator: ({ headers }, answer) => {
      const preflight =
        headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
      answer(null, { ...options, preflight });
    },
  };
}

const HELMET: Parameters<typeof helmet>[1] = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  // Not `no-referrer`: with it browsers send `Origin: null` with our own form, and it could not be told from others'.
  referrerPolicy: { policy: 'same-origin' },
  // The shop also runs on plain http in a classroom, where these only print warnings.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  hsts: false,
};

function addBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      requireUtf8(request);
      done(null, parseStrictJson(String(body)));
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

/** An address that cannot be decoded is refused by the router itself, before any hook or filter. */
function refuseAddress(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  const { origin } = request.headers;
  if (origin !== undefined && config.WEB_ORIGINS.includes(origin)) {
    void reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
    void reply.header('access-control-expose-headers', EXPOSED_HEADERS.join(', '));
  }
  answerProblem(new ProblemError('request_invalid', 'The address could not be read.'), request, reply);
}

/** What Node could not even read as HTTP is a problem, too. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return;
  const problem = toUnreadableProblem(error.code);
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, requestId));
  const { status } = PROBLEMS[problem.code];
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `Content-Type: ${PROBLEM_CONTENT_TYPE}\r\nConnection: close\r\n` +
      `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function toUnreadableProblem(nodeCode: string | undefined): ProblemError {
  switch (nodeCode) {
    case 'HPE_HEADER_OVERFLOW':
      return new ProblemError('payload_too_large', 'The headers are larger than this server takes.');
    // A slow line is not the request's fault: sent again it may well arrive.
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProblemError('unavailable', 'The request did not arrive in time. Nothing was done.');
    default:
      return new ProblemError('request_invalid', 'This could not be read as an HTTP request.');
  }
}
