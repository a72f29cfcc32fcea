import { type IdempotencyEvent, observeIdempotency } from '@pay-once/idempotency-server';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { DatabaseReadings, READINGS } from './database-readings.js';

const EVENT_HELP: Record<IdempotencyEvent['event'], string> = {
  claimed: 'Keys claimed for the first time',
  replayed: 'Stored answers given again: a network in trouble, or eager clients',
  in_progress_hit: 'Attempts that met a running one',
  fingerprint_mismatch: 'Keys sent with another command: a fault in a client',
  expired_key_reused: 'Expired keys claimed again',
  completed: 'Answers stored together with their work',
  released: 'Attempts rolled back, their key unused',
  unfinished: 'Attempts that left a payment for others to go on with',
  taken_over: 'Unfinished operations gone on with: recovery at work',
  unknown: 'Commits whose answer was lost: the same key finds out',
  swept: 'Expired records deleted',
};

/**
 * Counts what the idempotency package publishes and times what the server answers. Listens only: nothing in the
 * path of a payment knows of it. Labels are an operation, a route, a method and a status; never a key or a name.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly counters = new Map<string, Counter>();
  private readonly durations: Histogram;

  constructor(dataSource: DataSource) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    for (const [event, help] of Object.entries(EVENT_HELP)) {
      const name = `idempotency_${event}_total`;
      this.counters.set(event, new Counter({ name, help, labelNames: ['operation'], registers }));
    }
    this.durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'From the first byte of the request to the last byte of the answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    });
    const readings = new DatabaseReadings(dataSource);
    for (const { name, help } of READINGS) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const taken = await readings.take();
          // A number that nobody knows is left out; all the others are told.
          if (taken === undefined) this.remove();
          else this.set(Number(taken[name]));
        },
      });
    }
  }

  /** Counts from now on what happens to keys in this process, until the function that it returns is called. */
  countKeys(): () => void {
    return observeIdempotency(({ event, operation, count }) => {
      this.counters.get(event)?.inc({ operation: operation ?? 'all' }, count ?? 1);
    });
  }

  /** Counts keys and times the answers of this server, for as long as it is open. */
  listen(fastify: FastifyInstance): void {
    const stop = this.countKeys();
    fastify.addHook('onClose', async () => stop());
    fastify.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown';
      this.durations.observe(
        { method: request.method, route, status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
    });
  }
}
