import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '@pay-once/contracts';
import { expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { requestBytes, sendBytes } from './raw-http.js';
import { useShop } from './shop.js';

const ORIGIN = 'https://shop.example';
const EXPOSED = [
  'idempotent-replayed',
  'idempotency-expires',
  'retry-after',
  'location',
  'link',
  'operation-id',
  'x-request-id',
];

const shop = useShop({ WEB_ORIGINS: ORIGIN, REQUEST_TIMEOUT_MS: '3000', HEADERS_TIMEOUT_MS: '2500' });

function expectReadable({ headers }: Reply): void {
  expect(headers['access-control-allow-origin']).toBe(ORIGIN);
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(/, */);
  expect(exposed).toEqual(expect.arrayContaining(EXPOSED));
}

it('A page of the web origin may read the headers of a first answer, a replay and an error', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const headers = { origin: ORIGIN };
  const key = randomUUID();
  expectReadable(await shopper.pay(order, { key, headers }));
  expectReadable(await shopper.pay(order, { key, headers }));
  for (const error of [
    await shopper.pay(order, { key: '', headers }),
    await shopper.pay(order, { key: randomUUID(), headers }),
    await shopper.pay(order, { key, headers: { ...headers, authorization: 'Bearer nobody' } }),
    await shopper.send('GET', '/api/no-such-thing', { headers }),
    await shopper.send('PATCH', '/api/cart', { headers }),
    await shopper.send('GET', '/api/%zz', { headers }),
    await rateLimited(),
  ]) {
    expect(error.status).toBeGreaterThanOrEqual(400);
    expectReadable(error);
  }
});

/** What Node refuses before there is a request, or while its body is awaited. */
const UNREADABLE: [what: string, code: ProblemCode, bytes: (origin: string) => string][] = [
  [
    'whose headers are too large',
    'payload_too_large',
    (origin) => requestBytes('GET /api/cart', [origin, `Padding: ${'x'.repeat(16 * 1024)}`]),
  ],
  [
    'with a broken header',
    'request_invalid',
    (origin) => requestBytes('GET /api/cart', [origin, 'no colon']),
  ],
  [
    'with a broken chunk',
    'request_invalid',
    (origin) =>
      `${requestBytes('POST /api/sandboxes', [origin, JSON_TYPE, 'Transfer-Encoding: chunked'])}x\r\n\r\n`,
  ],
  [
    'whose body does not come',
    'unavailable',
    (origin) => requestBytes('POST /api/sandboxes', [origin, JSON_TYPE], '{}').slice(0, -1),
  ],
];
const JSON_TYPE = 'Content-Type: application/json';

it.each(UNREADABLE)(
  'A page of the web origin may read the refusal of a request %s',
  async (_what, code, bytes) => {
    const reply = await sendBytes(shop.url, bytes(`Origin: ${ORIGIN}`));
    expectProblem(reply, code);
    expectReadable(reply);
    const other = await sendBytes(shop.url, bytes('Origin: https://other.example'));
    expectProblem(other, code);
    expect(other.headers).not.toHaveProperty('access-control-allow-origin');
  },
);

async function rateLimited(): Promise<Reply> {
  const { url } = await shop.startApi({ SANDBOX_REQUESTS_MAX: '1' });
  const shopper = await shop.newShopper(url);
  await shopper.summary();
  const reply = await shopper.send('GET', '/api/summary', { headers: { origin: ORIGIN } });
  expect(reply.status).toBe(429);
  return reply;
}

it('The preflight of a payment allows the key', async () => {
  const preflight = await send(`${shop.url}/api/orders/${randomUUID()}/payments`, {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-origin']).toBe(ORIGIN);
  expect(String(preflight.headers['access-control-allow-methods']).split(/, */)).toEqual(
    expect.arrayContaining(['GET', 'POST', 'PUT', 'DELETE']),
  );
  expect(String(preflight.headers['access-control-allow-headers']).toLowerCase()).toContain(
    'idempotency-key',
  );
});

it('An OPTIONS that asks for nothing is no preflight, and is refused with a problem', async () => {
  const shopper = await shop.newShopper();
  for (const headers of [{}, { origin: ORIGIN }, { 'access-control-request-method': 'POST' }]) {
    expectProblem(await shopper.send('OPTIONS', '/api/cart', { headers }), 'method_not_allowed');
    expectProblem(await send(`${shop.url}/api/cart`, { method: 'OPTIONS', headers }), 'unauthenticated');
  }
});

it('A page of any other origin may read nothing', async () => {
  const shopper = await shop.newShopper();
  for (const origin of ['https://other.example', 'null', `${ORIGIN}.evil.example`]) {
    for (const path of ['/api/cart', '/api/no-such-thing', '/api/%zz']) {
      const { headers } = await shopper.send('GET', path, { headers: { origin } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  }
});
