import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { requestBytes, sendBytes } from './raw-http.js';
import { useShop } from './shop.js';

const shop = useShop();

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const CANARY = 'canary4242';

/** The headers that keep a page safe, whatever else an answer carries. */
const SECURITY =
  /^(content-security-policy|cross-origin-.*|referrer-policy|x-(content-type|dns|download|frame|permitted|xss).*)$/;

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return send(shop.url + path, { method, headers });
}

function securityHeaders({ headers }: Reply): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => SECURITY.test(name)));
}

/** Asserts that a person can read it, knows where to go on, and is as safe as on every other page. */
async function expectPage(reply: Reply, status: number): Promise<void> {
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(reply.text).toMatch(/<main class="plain"><h1>[^<]+<\/h1>\s*<p>[^<]+<\/p>/);
  expect(reply.text).toMatch(/<div lang="id"><h2>[^<]+<\/h2>\s*<p>[^<]+<\/p>/);
  expect(reply.text).toContain('<a href="/">');
  expect(reply.text).not.toContain('<script');
  expect(reply.text).not.toContain(CANARY);
  expect(securityHeaders(reply)).toEqual(securityHeaders(await ask('/', { accept: BROWSER })));
  expect(Object.keys(securityHeaders(reply)).length).toBeGreaterThan(5);
}

const ADDRESSES: [path: string, status: number, heading: string][] = [
  [`/checkout/%ff${CANARY}`, 400, 'This address cannot be read'],
  ['/%', 400, 'This address cannot be read'],
  [`/problems/${CANARY}`, 404, 'There is no page here'],
  ['/problems', 404, 'There is no page here'],
  [`/${CANARY}${'a'.repeat(20_000)}`, 413, 'This address is too long'],
];

describe.each(ADDRESSES)('an address that is no page (%#)', (path, status, heading) => {
  it('shows a person a page that says so in both languages, and repeats nothing', async () => {
    const reply = await ask(path, { accept: BROWSER });
    await expectPage(reply, status);
    expect(reply.text).toContain(`<h1>${heading}</h1>`);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const get = await ask(path, { accept: BROWSER });
    const head = await sendBytes(shop.url, requestBytes(`HEAD ${path}`, [`Accept: ${BROWSER}`]));
    expect([head.status, head.text]).toEqual([status, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it.each<[string, Record<string, string>]>([
    ['anything', { accept: '*/*' }],
    ['JSON', { accept: 'application/json' }],
    ['nothing in particular', {}],
  ])('answers who asks for %s with the problem', async (_what, headers) => {
    const reply = await ask(path, headers);
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toBe('application/problem+json');
  });
});

describe('an address that is too long', () => {
  it('shows a person a page also when it comes in two packets', async () => {
    const rest = `${'a'.repeat(10_000)} HTTP/1.1\r\nHost: shop\r\nAccept: ${BROWSER}\r\n\r\n`;
    const slowly = { drip: rest, everyMs: 200 };
    await expectPage(await sendBytes(shop.url, `GET /${'a'.repeat(10_000)}`, slowly), 413);
  });
});

describe('an address for programs', () => {
  it.each(['/api/no-such-thing', '/api/orders/%zz', '/assets/none.js', '/metrics/none', '/healthz/%ff'])(
    '%s answers a browser with the problem, too',
    async (path) => {
      const authorization = `Bearer ${(await shop.newShopper()).token}`;
      const reply = await ask(path, { accept: BROWSER, authorization });
      expectProblem(reply, path.includes('%') ? 'request_invalid' : 'not_found');
    },
  );

  it('that is too long does so, too', async () => {
    const reply = await ask(`/api/${'a'.repeat(20_000)}`, { accept: BROWSER });
    expectProblem(reply, 'payload_too_large');
  });
});
