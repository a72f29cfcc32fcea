import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { requestBytes, sendBytes } from './raw-http.js';
import { useShop } from './shop.js';
import { balancePayment, LOOK_UP } from './shopper.js';

const REQUESTS_MAX = 6;
const SANDBOXES_MAX = 8;
/** Node looks once a second, so a client is cut off up to a second later. */
const HEADERS_MS = 500;
const REQUEST_MS = 1_500;

const shop = useShop({
  SANDBOX_REQUESTS_MAX: String(REQUESTS_MAX),
  ADDRESS_SANDBOXES_MAX: String(SANDBOXES_MAX),
  HEADERS_TIMEOUT_MS: String(HEADERS_MS),
  REQUEST_TIMEOUT_MS: String(REQUEST_MS),
});

async function expectLimited(reply: Reply): Promise<number> {
  expectProblem(reply, 'rate_limited');
  expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  return Number(reply.headers['retry-after']);
}

describe('a sandbox that asks too often', () => {
  it('is refused, its key stays unused, and after Retry-After the same key pays', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    for (let sent = 1; sent < REQUESTS_MAX; sent++) {
      expect((await shopper.send('GET', '/api/cart')).status).toBe(200);
    }
    const key = randomUUID();
    const waitSeconds = await expectLimited(await shopper.pay(order, { key }));
    expect(waitSeconds).toBeLessThanOrEqual(5);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });
    // Another sandbox from the same address is not held responsible.
    expect((await (await shop.newShopper()).send('GET', '/api/cart')).status).toBe(200);

    await sleep(waitSeconds * 1_000);
    const paid = await shopper.pay(order, { key });
    expect(paid.status).toBe(201);
    expect(paid.headers).not.toHaveProperty('idempotent-replayed');
  });

  it('is refused a replay as well', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    for (let sent = 1; sent < REQUESTS_MAX; sent++) {
      expect((await shopper.pay(order, { key })).status).toBe(201);
    }
    await expectLimited(await shopper.pay(order, { key }));
  });

  it('is refused by the form with a page', async () => {
    const shopper = await shop.newShopper();
    for (let sent = 0; sent < REQUESTS_MAX; sent++) await shopper.summary();
    const orderId = randomUUID();
    const reply = await shopper.send('POST', `/checkout/${orderId}/pay`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    });
    expect(reply.status).toBe(303);
    expect(reply.headers['location']).toBe(`/checkout/${orderId}?problem=rate_limited`);
  });
});

describe('the pages of orders', () => {
  it.each(['orders', 'checkout'])(
    '/%s/… count as requests of the sandbox, however they are written',
    async (kind) => {
      const shopper = await shop.newShopper();
      const order = await shopper.order();
      const show = (path: string): Promise<Reply> =>
        shopper.send('GET', path, { headers: { accept: 'text/html' } });
      for (let sent = 1; sent < REQUESTS_MAX; sent++) {
        const path = sent % 2 === 0 ? kind : `%${kind.charCodeAt(0).toString(16)}${kind.slice(1)}`;
        const shown = await show(`/${path}/${order.id}`);
        expect([shown.status, shown.text.includes(order.number)]).toEqual([200, true]);
      }
      shop.wire.cutAt(Number.MAX_SAFE_INTEGER, 'request');
      const refused = await show(`/${kind}/${order.id}?problem=sold_out`);
      expect(shop.wire.mend().statements).toEqual([LOOK_UP]);
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toMatch(/^[1-5]$/);
      expect(refused.headers['content-type']).toContain('text/html');
      // A person is told, and without a script the page comes again by itself.
      expect(refused.text).toContain('This says nothing about your order');
      expect(refused.text).toContain(`content="3;url=/${kind}/${order.id}?problem=sold_out"`);
      await expectLimited(await shopper.send('GET', '/api/cart'));
    },
  );
});

describe('an address whose requests bring no known token', () => {
  it('is refused before Postgres is asked, and a sandbox that was known before is not held responsible', async () => {
    const { url } = await shop.startApi({ ADDRESS_UNKNOWN_REQUESTS_MAX: '4', SANDBOX_REQUESTS_MAX: '1000' });
    const shopper = await shop.newShopper(url);
    await shopper.summary();
    const ask = (path: string, headers: OutgoingHttpHeaders): Promise<Reply> =>
      send(url + path, { method: 'GET', headers });
    const wrong = { authorization: 'Bearer wrong' };
    // The first request of the shopper was one of the four.
    expectProblem(await ask('/api/cart', wrong), 'unauthenticated');
    expectProblem(await ask('/api/cart', {}), 'unauthenticated');
    const cookie = { cookie: 'pay_once_session=wrong', accept: 'text/html' };
    expect((await ask(`/orders/${randomUUID()}`, cookie)).status).toBe(200);

    shop.wire.cutAt(Number.MAX_SAFE_INTEGER, 'request');
    await expectLimited(await ask('/api/cart', wrong));
    await expectLimited(await ask('/api/no-such-thing', {}));
    expect((await ask(`/orders/${randomUUID()}`, cookie)).status).toBe(429);
    const pressed = await send(`${url}/checkout/${randomUUID()}/pay`, { method: 'POST', headers: wrong });
    expect(pressed.headers['location']).toContain('problem=rate_limited');
    expect(shop.wire.mend().statements).toEqual([]);
    expect((await shopper.send('GET', '/api/cart')).status).toBe(200);
  });
});

describe('a client that sends a byte at a time', () => {
  /** Sends the start of a request at once and its rest slowly, and tells what came back and after how long. */
  async function drip(start: string, rest: string): Promise<{ reply: Reply; seconds: number }> {
    const startedAt = performance.now();
    const reply = await sendBytes(shop.url, start, { drip: rest, everyMs: 100 });
    return { reply, seconds: (performance.now() - startedAt) / 1_000 };
  }

  it('is cut off in its headers or its body, leaves nothing, and may send the same key again', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const body = JSON.stringify(balancePayment(order));
    const bytes = requestBytes(
      `POST /api/orders/${order.id}/payments`,
      [`Authorization: Bearer ${shopper.token}`, `Idempotency-Key: ${key}`, 'Content-Type: application/json'],
      body,
    );
    const inHeaders = await drip(`${bytes.slice(0, bytes.indexOf('\r\n'))}\r\n`, 'a: b\r\n');
    const inBody = await drip(bytes.slice(0, -body.length), ' ');
    for (const { reply } of [inHeaders, inBody]) {
      expect(expectProblem(reply, 'unavailable').retry).toBe('same_key');
      expect(reply.headers['connection']).toBe('close');
    }
    expect(inHeaders.seconds).toBeGreaterThan(HEADERS_MS / 1_000 - 0.1);
    expect(inHeaders.seconds).toBeLessThan(5);
    expect(inBody.seconds).toBeGreaterThan(REQUEST_MS / 1_000 - 0.1);
    expect(inBody.seconds).toBeLessThan(6);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });

    const paid = await shopper.pay(order, { key });
    expect(paid.status).toBe(201);
    expect(paid.headers).not.toHaveProperty('idempotent-replayed');
  });
});

describe('an address', () => {
  const post = (path: string): Promise<Reply> => send(shop.url + path, { method: 'POST', body: {} });

  it.each<[string, () => Promise<Reply>]>([
    ['as it is', () => post('/api/sandboxes')],
    ['with a query', () => post('/api/sandboxes?a')],
    ['with escapes', () => post('/%61pi/s%61ndboxes')],
    [
      'as a whole URL',
      () => {
        const type = 'Content-Type: application/json';
        return sendBytes(shop.url, requestBytes(`POST ${shop.url}/api/sandboxes`, [type], '{}'));
      },
    ],
  ])('makes only so many sandboxes in a while, written %s', async (_way, make) => {
    // The window may end and begin again in between, once.
    const replies: Reply[] = [];
    while (replies.length <= 2 * SANDBOXES_MAX && replies.at(-1)?.status !== 429) replies.push(await make());
    const refused = replies.pop();
    expect(refused && (await expectLimited(refused))).toBeLessThanOrEqual(10);
    expect(replies.every(({ status }) => status === 201)).toBe(true);
  });
});

describe('the sizes of a request', () => {
  it('are set by the environment', async () => {
    const sizes = { BODY_BYTES_MAX: '300', BODY_DEPTH_MAX: '3', HEADER_BYTES_MAX: '2000' };
    const { url } = await shop.startApi({ ...sizes, SANDBOX_REQUESTS_MAX: '1000' });
    const shopper = await shop.newShopper(url);
    const put = (body: string): Promise<Reply> => {
      const headers = { 'content-type': 'application/json' };
      return shopper.send('PUT', '/api/sandbox/balance', { headers, body });
    };
    expect((await put('{"amountMinor":1}'.padEnd(300))).status).toBe(200);
    expectProblem(await put('{"amountMinor":1}'.padEnd(301)), 'payload_too_large');
    expect(expectProblem(await put('[[[1]]]'), 'request_invalid').detail).not.toContain('nested');
    expect(expectProblem(await put('[[[[1]]]]'), 'request_invalid').detail).toContain('nested deeper than 3');
    expect((await shopper.send('GET', '/api/cart', { headers: { a: 'x'.repeat(1_500) } })).status).toBe(200);
    const tooLong = requestBytes('GET /api/cart', [`a: ${'x'.repeat(2_000)}`]);
    expectProblem(await sendBytes(url, tooLong), 'payload_too_large');
  });
});

describe('the limits', () => {
  it('are the ones of the contract unless the environment sets others', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/x' })).toMatchObject({
      SANDBOX_REQUESTS_MAX: 300,
      ADDRESS_SANDBOXES_MAX: 100,
      ADDRESS_UNKNOWN_REQUESTS_MAX: 1_000,
      BODY_BYTES_MAX: 32 * 1_024,
      BODY_DEPTH_MAX: 10,
      HEADER_BYTES_MAX: 16 * 1_024,
      RETENTION_MS: 24 * 60 * 60 * 1_000,
      POOL_MAX: 10,
      HEADERS_TIMEOUT_MS: 10_000,
      REQUEST_TIMEOUT_MS: 15_000,
    });
  });

  it('are not set by variables that are empty', () => {
    const empty = { POOL_MAX: '', METRICS_PORT: '' };
    const config = readConfig({ DATABASE_URL: 'postgres://localhost/x', ...empty });
    expect([config.POOL_MAX, config.METRICS_PORT]).toEqual([10, undefined]);
  });

  it('cannot be set to nonsense', () => {
    expect(() => readConfig({ DATABASE_URL: 'x', SANDBOX_REQUESTS_MAX: '0' })).toThrow(
      /DATABASE_URL.*SANDBOX_REQUESTS_MAX/,
    );
    for (const slow of [
      { HEADERS_TIMEOUT_MS: '15000', REQUEST_TIMEOUT_MS: '15000' },
      { CARD_NETWORK_TIMEOUT_MS: '15000', LEASE_MS: '15000' },
      { MAIL_TIMEOUT_MS: '5000', JOB_LEASE_SECONDS: '5' },
    ])
      expect(() => readConfig({ DATABASE_URL: 'postgres://localhost/x', ...slow })).toThrow(
        /\w+_MS: is not shorter than \w+/,
      );
  });
});
