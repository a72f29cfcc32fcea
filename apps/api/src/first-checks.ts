import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DataSource } from 'typeorm';
import type { Config } from './config.js';
import { isFormPost } from './documents/form-pages.js';
import { orderPageOf } from './documents/page-addresses.js';
import { credentialOf, identify, unauthenticated } from './identity.js';
import { pathOf } from './known-addresses.js';
import { describePending, findPendingMigrations } from './pending-migrations.js';
import { toProblem } from './problem.filter.js';
import { ProblemError, unavailable } from './problem-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why an order's page must not look anything up. Its document is served all the same, and says so. */
    refusal?: ProblemError;
  }
}

const REQUESTS_WINDOW_MS = 5_000;
const SANDBOXES_WINDOW_MS = 10_000;

/** Enough for everybody who asks in a few minutes; whoever is forgotten counts once as unknown again. */
const KNOWN_TOKENS_MAX = 10_000;

/** Who is asking, and is it too often: asked before a byte of the body is read. */
export function addFirstChecks(fastify: FastifyInstance, dataSource: DataSource, config: Config): void {
  const refusalOf = refusals(fastify, dataSource, config);

  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (request.headers.host === undefined) {
      throw new ProblemError('request_invalid', 'A request names its host.');
    }
    if (isOrderPage(request)) {
      const refusal = await refusalOf(request).catch(toProblem);
      if (refusal !== undefined) request.refusal = refusal;
      return;
    }
    if (!pathOf(request.url).startsWith('/api/') && !isFormPost(request)) return;
    void reply.header('cache-control', 'no-store');
    const refusal = await refusalOf(request);
    if (refusal !== undefined) throw refusal;
  });
}

function isOrderPage({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && orderPageOf(pathOf(url)) !== undefined;
}

/** Finds out whose a request is, and why it must not go on, if so. */
function refusals(
  fastify: FastifyInstance,
  dataSource: DataSource,
  config: Config,
): (request: FastifyRequest) => Promise<ProblemError | undefined> {
  const limit = (max: number, timeWindow: number, keyGenerator: (request: FastifyRequest) => string) => {
    const count = fastify.createRateLimit({ max, timeWindow, keyGenerator });
    return async (request: FastifyRequest): Promise<ProblemError | undefined> => {
      const allowance = await count(request);
      return allowance.isAllowed || !allowance.isExceeded ? undefined : tooOften(allowance.ttlInSeconds);
    };
  };
  const ip = (request: FastifyRequest): string => request.ip;
  const ofSandbox = (request: FastifyRequest): string => request.identity?.sandboxId ?? request.ip;
  const sandboxesOfAddress = limit(config.ADDRESS_SANDBOXES_MAX, SANDBOXES_WINDOW_MS, ip);
  const unknownOfAddress = limit(config.ADDRESS_UNKNOWN_REQUESTS_MAX, REQUESTS_WINDOW_MS, ip);
  const requestsOfSandbox = limit(config.SANDBOX_REQUESTS_MAX, REQUESTS_WINDOW_MS, ofSandbox);
  const known = new Set<string>();

  return async (request) => {
    if (request.method === 'POST' && pathOf(request.url) === '/api/sandboxes') {
      return (await sandboxesOfAddress(request)) ?? (await refusalOfSchema(dataSource));
    }
    const token = credentialOf(request);
    // Counted before Postgres is asked: a token that nobody has costs a query, too. Who was known before is not held
    // responsible for others at the same address.
    if (token === undefined || !known.has(token)) {
      const refusal = await unknownOfAddress(request);
      if (refusal !== undefined) return refusal;
    }
    const identity = token === undefined ? undefined : await identify(token, dataSource);
    if (identity === undefined) return unauthenticated();
    request.identity = identity;
    remember(known, identity.token);
    return requestsOfSandbox(request);
  };
}

/** A new sandbox is the one thing that begins without a look-up of who is asking, which tells the same. */
async function refusalOfSchema(dataSource: DataSource): Promise<ProblemError | undefined> {
  const pending = await findPendingMigrations((sql) => dataSource.query(sql));
  return pending.length > 0 ? unavailable(describePending(pending)) : undefined;
}

function remember(known: Set<string>, token: string): void {
  known.delete(token);
  known.add(token);
  const [oldest] = known;
  if (known.size > KNOWN_TOKENS_MAX && oldest !== undefined) known.delete(oldest);
}

function tooOften(retryAfterSeconds: number): ProblemError {
  return new ProblemError('rate_limited', 'Too many requests in a few seconds. Nothing was done.', {
    retryAfterSeconds,
  });
}
