import { createHash } from 'node:crypto';
import { sandboxSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { send } from './http-request.js';
import { useShop } from './shop.js';

const shop = useShop();

describe('a new sandbox', () => {
  it('tells its token once and keeps only its hash', async () => {
    const shopper = await shop.newShopper();
    const shown = await shopper.send('GET', '/api/sandbox');
    expect(JSON.parse(shown.text)).toEqual({
      id: shopper.sandboxId,
      balance: { amountMinor: 1_000_000_000, currency: 'IDR' },
    });

    const [row] = await shop.sql<{ token_hash: Buffer; text: string }>(
      'select token_hash, s::text as text from sandboxes s where id = $1',
      [shopper.sandboxId],
    );
    expect(row?.token_hash).toEqual(createHash('sha256').update(shopper.token).digest());
    expect(row?.text).not.toContain(shopper.token);
  });

  it('gives a page its token as a cookie that scripts cannot read', async () => {
    const reply = await send(`${shop.url}/api/sandboxes`, { method: 'POST', body: { session: 'cookie' } });
    expect(reply.status).toBe(201);
    const sandbox = sandboxSchema.parse(JSON.parse(reply.text));
    expect(sandbox).not.toHaveProperty('token');
    const [setCookie = ''] = reply.headers['set-cookie'] ?? [];
    expect(setCookie).toMatch(/; HttpOnly(;|$)/);
    expect(setCookie).toMatch(/; SameSite=Lax(;|$)/);
    expect(setCookie).toMatch(/; Path=\/(;|$)/);

    const [cookie = ''] = setCookie.split(';');
    const shown = await send(`${shop.url}/api/sandbox`, { method: 'GET', headers: { cookie } });
    expect(JSON.parse(shown.text)).toMatchObject({ id: sandbox.id });
    expect(shown.headers).not.toHaveProperty('set-cookie');
  });

  it.each([{ session: 'both' }, { balance: 1 }, { id: 'x' }, [], null])(
    'is not made from %j',
    async (body) => {
      expectProblem(await send(`${shop.url}/api/sandboxes`, { method: 'POST', body }), 'request_invalid');
    },
  );
});

const OPERATIONS = [
  ['GET', '/api/sandbox'],
  ['PUT', '/api/sandbox/balance'],
  ['GET', '/api/concerts'],
  ['GET', '/api/concerts/x'],
  ['PUT', '/api/concerts/x/like'],
  ['DELETE', '/api/concerts/x/like'],
  ['GET', '/api/cart'],
  ['PUT', '/api/cart/items/x'],
  ['PUT', '/api/orders/x'],
  ['GET', '/api/orders'],
  ['GET', '/api/orders/x'],
  ['POST', '/api/orders/x/payments'],
  ['GET', '/api/payments/x'],
  ['GET', '/api/summary'],
  ['GET', '/api/no-such-thing'],
] as const;

describe('who is calling', () => {
  it.each(OPERATIONS)('must be known for %s %s', async (method, path) => {
    const { token } = await shop.newShopper();
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${token}`,
      token,
      `Bearer ${token}x`,
    ]) {
      const headers = authorization === undefined ? {} : { authorization };
      expectProblem(await send(shop.url + path, { method, headers }), 'unauthenticated');
    }
  });

  it('is told by the token alone, whatever else names a sandbox', async () => {
    const shopper = await shop.newShopper();
    const other = await shop.newShopper();
    const headers = {
      'x-sandbox-id': other.sandboxId,
      'x-forwarded-user': other.sandboxId,
      cookie: `pay_once_session=${other.token}`,
    };
    const reply = await shopper.send('GET', `/api/sandbox?sandboxId=${other.sandboxId}`, { headers });
    expect(JSON.parse(reply.text)).toMatchObject({ id: shopper.sandboxId });
  });

  it('is not told by the cookie when there is a token that nobody has', async () => {
    const shopper = await shop.newShopper();
    const headers = { authorization: 'Bearer wrong', cookie: `pay_once_session=${shopper.token}` };
    expectProblem(await send(`${shop.url}/api/sandbox`, { method: 'GET', headers }), 'unauthenticated');
  });
});
