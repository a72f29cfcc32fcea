import type { FastifyCorsOptionsDelegateCallback } from '@fastify/cors';
import type { Config } from './config.js';

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
export function corsOptions(config: Config): { delegator: FastifyCorsOptionsDelegateCallback } {
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

/** The same for an answer that is given before any plugin sees the request; none for an origin that is not allowed. */
export function crossOriginHeaders(config: Config, origin: string | undefined): Record<string, string> {
  if (origin === undefined || !config.WEB_ORIGINS.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    vary: 'Origin',
  };
}
