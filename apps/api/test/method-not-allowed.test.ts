import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { requestBytes, sendBytes } from './raw-http.js';
import { useShop } from './shop.js';

const webDist = mkdtempSync(join(tmpdir(), 'pay-once-web-'));
mkdirSync(join(webDist, 'assets'));
writeFileSync(join(webDist, 'index.html'), '<html lang="en"><head></head><div id="root"></div></html>');
writeFileSync(join(webDist, 'assets', 'app.js'), 'run();');
afterAll(() => rmSync(webDist, { recursive: true }));

const shop = useShop({ WEB_DIST: webDist });

const ID = randomUUID();

/** The methods of each address. */
const ADDRESSES: [address: string, allow: string][] = [
  ['/api/sandboxes', 'POST'],
  ['/api/sandbox', 'GET, HEAD'],
  ['/api/sandbox/balance', 'PUT'],
  ['/api/concerts', 'GET, HEAD'],
  [`/api/concerts/${ID}`, 'GET, HEAD'],
  [`/api/concerts/${ID}/like`, 'DELETE, PUT'],
  ['/api/cart', 'GET, HEAD'],
  [`/api/cart/items/${ID}`, 'PUT'],
  ['/api/orders', 'GET, HEAD'],
  [`/api/orders/${ID}`, 'GET, HEAD, PUT'],
  [`/api/orders/${ID}/payments`, 'POST'],
  [`/api/payments/${ID}`, 'GET, HEAD'],
  ['/api/summary', 'GET, HEAD'],
  ['/healthz', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
  ['/metrics', 'GET, HEAD'],
  ['/problems/not_found', 'GET, HEAD'],
  ['/assets/app.js', 'GET, HEAD'],
  [`/checkout/${ID}/pay`, 'GET, HEAD, POST'],
  [`/orders/${ID}`, 'GET, HEAD'],
  ['/', 'GET, HEAD'],
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK'];

function expectNotAllowed(reply: Reply, method: string, allow: string): void {
  expect(reply.headers['allow'], method).toBe(allow);
  // An answer to HEAD has no body.
  if (method !== 'HEAD') expectProblem(reply, 'method_not_allowed');
  else expect([reply.status, reply.text]).toEqual([405, '']);
}

describe('an address', () => {
  it.each(ADDRESSES)('%s refuses every method but %s, and names those', async (address, allow) => {
    const shopper = await shop.newShopper();
    for (const method of METHODS) {
      if (allow.split(', ').includes(method)) continue;
      expectNotAllowed(await shopper.send(method, address), method, allow);
    }
  });

  it('is known however it is written', async () => {
    const shopper = await shop.newShopper();
    for (const path of ['/api/cart?a=/b', '/%61pi/c%61rt']) {
      expectNotAllowed(await shopper.send('PATCH', path), 'PATCH', 'GET, HEAD');
    }
    const whole = requestBytes(`PATCH ${shop.url}/api/cart`, [`Authorization: Bearer ${shopper.token}`]);
    expectNotAllowed(await sendBytes(shop.url, whole), 'PATCH', 'GET, HEAD');
  });

  it('that nobody knows is not found with any method', async () => {
    const shopper = await shop.newShopper();
    for (const path of ['/api', '/api/no-such-thing', '/api/orders/', '/problems', '/assets/none.js']) {
      for (const method of METHODS.filter((one) => one !== 'HEAD')) {
        const reply = await shopper.send(method, path);
        expectProblem(reply, 'not_found');
        expect(reply.headers).not.toHaveProperty('allow');
      }
    }
  });
});

describe('a method that is not allowed', () => {
  it('is refused before the body and the key are read, and nothing happens', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    for (const body of ['{', ' '.repeat(40_000)]) {
      const headers = { 'content-type': 'text/plain', 'idempotency-key': 'a,b' };
      const reply = await shopper.send('PATCH', `/api/orders/${order.id}/payments`, { headers, body });
      expectNotAllowed(reply, 'PATCH', 'POST');
    }
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });
  });

  it('is refused after who asks and how often', async () => {
    expectProblem(await send(`${shop.url}/api/cart`, { method: 'PATCH' }), 'unauthenticated');
    const { url } = await shop.startApi({ SANDBOX_REQUESTS_MAX: '1' });
    const shopper = await shop.newShopper(url);
    await shopper.summary();
    expectProblem(await shopper.send('PATCH', '/api/cart'), 'rate_limited');
  });
});

describe('HEAD', () => {
  it.each(['/api/cart', '/api/orders', '/healthz', '/problems/not_found', '/assets/app.js', '/'])(
    'of %s says what GET says, without the body',
    async (path) => {
      const shopper = await shop.newShopper();
      const [head, get] = [await shopper.send('HEAD', path), await shopper.send('GET', path)];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const header of ['content-type', 'content-length', 'cache-control']) {
        expect(head.headers[header], header).toBe(get.headers[header]);
      }
    },
  );
});

describe('a page of the shop', () => {
  it.each(['/', '/cart', `/checkout/${ID}`, `/checkout/${ID}/pay`])('%s is served as ever', async (path) => {
    const reply = await send(shop.url + path, { method: 'GET', headers: { accept: 'text/html' } });
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('has its files, and a fault in asking for one is a problem', async () => {
    expect((await send(`${shop.url}/assets/app.js`, { method: 'GET' })).text).toBe('run();');
    const withoutHost = 'GET /assets/app.js HTTP/1.1\r\nConnection: close\r\n\r\n';
    expectProblem(await sendBytes(shop.url, withoutHost), 'request_invalid');
  });
});
