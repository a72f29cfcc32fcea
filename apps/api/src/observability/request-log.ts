import { createHash } from 'node:crypto';
import { parseIdempotencyKey, readIdempotencyKey } from '@pay-once/idempotency-server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { formKey } from '../documents/form-pages.js';

/** The first characters of a hash: enough to find all attempts of one key, useless as the key. */
const KEY_HASH_LENGTH = 12;

/** Writes a line for each answered request. The route, not the address: people paste anything into addresses. */
export function logRequests(fastify: FastifyInstance, log: Logger): void {
  fastify.addHook('onResponse', async (request, reply) => {
    const status = reply.statusCode;
    const line = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      operationId: reply.getHeader('operation-id'),
      replayed: reply.getHeader('idempotent-replayed'),
      keyHash: keyHash(request),
    };
    if (status >= 500) log.error(line, 'answered');
    else log.info(line, 'answered');
  });
}

/** Of the key itself, however it was written: its attempts have one hash, quoted, bare and from a form. */
function keyHash(request: FastifyRequest): string | undefined {
  const header = readIdempotencyKey(request.raw.rawHeaders);
  const parsed = header.kind === 'missing' ? parseIdempotencyKey(formKey(request) ?? '') : header;
  if (parsed.kind !== 'valid') return undefined;
  return createHash('sha256').update(parsed.key).digest('hex').slice(0, KEY_HASH_LENGTH);
}
