import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';

/**
 * Starts OpenTelemetry when the standard variable `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector; without it
 * nothing is loaded. Returns what ends it and sends the last spans.
 */
export async function startTraces(environment: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  if (environment['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined) return async () => undefined;
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ serviceName: 'pay-once-api', instrumentations: [] });
  sdk.start();
  return () => sdk.shutdown();
}

/** One span an attempt. All attempts with one key carry the same operation id, however many traces they are in. */
export function traceRequests(fastify: FastifyInstance): void {
  const tracer = trace.getTracer('pay-once-api');
  const spans = new WeakMap<object, Span>();

  fastify.addHook('onRequest', async (request) => {
    const parent = propagation.extract(context.active(), request.headers);
    spans.set(request, tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent));
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    if (span === undefined) return;
    const route = request.routeOptions.url ?? 'unknown';
    span.updateName(`${request.method} ${route}`);
    span.setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
      'pay_once.request_id': request.id,
    });
    const operationId = reply.getHeader('operation-id');
    if (typeof operationId === 'string') span.setAttribute('pay_once.operation_id', operationId);
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}
