import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';

/** The process's log: one JSON object a line on stdout. */
export function createLog(level: string): Logger {
  const destination = pino.destination({ dest: 1, sync: true });
  // A log that nobody takes ends no process.
  destination.on('error', () => undefined);
  return pino({ name: 'card-network', level }, destination);
}

/** Writes a line for each answered request: the route and not the address, no key and no body. */
export function logRequests(fastify: FastifyInstance, log: Logger): void {
  fastify.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        replayed: reply.getHeader('idempotent-replayed'),
      },
      'answered',
    );
  });
}
