import { randomUUID } from 'node:crypto';
import { PROBLEMS, type ProblemCode, paymentSchema, problemCodes } from '@pay-once/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { requestBytes, sendBytes } from './raw-http.js';
import {
  balancePayment,
  CONCERT_OF_2_SEATS,
  CONCERT_OF_500_SEATS,
  cardPayment,
  type Shopper,
} from './shopper.js';

const shop = useCardShop();
let strictUrl: string;

beforeAll(async () => {
  ({ url: strictUrl } = await shop.startApi({ SANDBOX_REQUESTS_MAX: '1' }));
});

/** The table of the contract, written down a second time: a change of the first has to be meant. */
const TABLE: Record<ProblemCode, [status: number, retry: string]> = {
  idempotency_key_missing: [400, 'never'],
  idempotency_key_invalid: [400, 'never'],
  request_invalid: [400, 'never'],
  unauthenticated: [401, 'never'],
  card_declined: [402, 'new_key'],
  balance_insufficient: [402, 'new_key'],
  not_found: [404, 'never'],
  method_not_allowed: [405, 'never'],
  request_in_progress: [409, 'same_key'],
  order_conflict: [409, 'never'],
  order_already_paid: [409, 'never'],
  order_being_paid: [409, 'same_key'],
  refund_conflict: [409, 'never'],
  refund_exceeds_payment: [409, 'never'],
  sold_out: [409, 'never'],
  payload_too_large: [413, 'never'],
  unsupported_media_type: [415, 'never'],
  idempotency_key_reused: [422, 'never'],
  amount_mismatch: [422, 'never'],
  rate_limited: [429, 'same_key'],
  internal: [500, 'same_key'],
  unavailable: [503, 'same_key'],
};

/** One way to get each problem. */
const CAUSES: Record<ProblemCode, (shopper: Shopper) => Promise<Reply>> = {
  idempotency_key_missing: async (shopper) => shopper.pay(await shopper.order(), { key: '' }),
  idempotency_key_invalid: async (shopper) => shopper.pay(await shopper.order(), { key: 'a,b' }),
  request_invalid: async (shopper) => shopper.pay(await shopper.order(), { key: 'k', body: {} }),
  unauthenticated: (shopper) => shopper.send('GET', '/api/cart', { headers: { authorization: 'Bearer x' } }),
  card_declined: async (shopper) => {
    const order = await shopper.order();
    return shopper.pay(order, { key: 'k', body: cardPayment(order, 'card_declined') });
  },
  balance_insufficient: async (shopper) => {
    await shopper.setBalance(0);
    return shopper.pay(await shopper.order(), { key: 'k' });
  },
  not_found: (shopper) => shopper.send('GET', `/api/orders/${randomUUID()}`),
  method_not_allowed: (shopper) => shopper.send('DELETE', '/api/cart'),
  request_in_progress: (shopper) => whilePaying(shopper, 'same key'),
  order_being_paid: (shopper) => whilePaying(shopper, 'other key'),
  order_conflict: async (shopper) => {
    const { id } = await shopper.order();
    const items = [{ concertId: CONCERT_OF_500_SEATS, quantity: 9 }];
    return shopper.send('PUT', `/api/orders/${id}`, { body: { items } });
  },
  order_already_paid: async (shopper) => {
    const order = await shopper.order();
    await shopper.pay(order, { key: 'k' });
    return shopper.pay(order, { key: 'l' });
  },
  refund_conflict: (shopper) => refundOfAll(shopper, { more: 0, refundedMinor: 1 }),
  refund_exceeds_payment: (shopper) => refundOfAll(shopper, { more: 1 }),
  sold_out: async (shopper) => {
    const order = await shopper.order([{ concertId: CONCERT_OF_2_SEATS, quantity: 3 }]);
    return shopper.pay(order, { key: 'k' });
  },
  payload_too_large: async (shopper) => {
    const headers = { 'content-type': 'application/json' };
    return shopper.pay(await shopper.order(), { key: 'k', headers, body: ' '.repeat(40_000) });
  },
  unsupported_media_type: async (shopper) => {
    const headers = { 'content-type': 'text/plain' };
    return shopper.pay(await shopper.order(), { key: 'k', headers, body: '{}' });
  },
  idempotency_key_reused: async (shopper) => {
    await shopper.pay(await shopper.order(), { key: 'k' });
    return shopper.pay(await shopper.order(), { key: 'k' });
  },
  amount_mismatch: async (shopper) => {
    const order = await shopper.order();
    return shopper.pay(order, { key: 'k', body: { ...balancePayment(order), amountMinor: 1 } });
  },
  rate_limited: async () => {
    const limited = await shop.newShopper(strictUrl);
    await limited.summary();
    return limited.send('GET', '/api/summary');
  },
  internal: async (shopper) => {
    await shop.sql('revoke select on cart_items from pay_once_app');
    const reply = await shopper.send('GET', '/api/cart');
    await shop.sql('grant select on cart_items to pay_once_app');
    return reply;
  },
  // The lock is held for longer than the API waits for one.
  unavailable: async (shopper) => {
    const order = await shopper.order();
    await shop.lockBalance(shopper);
    return shopper.pay(order, { key: 'k' });
  },
};

async function refundOfAll(
  shopper: Shopper,
  { more, ...seen }: { more: number; refundedMinor?: number },
): Promise<Reply> {
  const paid = await shopper.pay(await shopper.order(), { key: 'k' });
  const { id, amountMinor } = paymentSchema.parse(JSON.parse(paid.text));
  return shopper.send('POST', `/api/payments/${id}/refunds`, {
    headers: { 'idempotency-key': 'l' },
    body: { amountMinor: amountMinor + more, ...seen },
  });
}

async function whilePaying(shopper: Shopper, how: 'same key' | 'other key'): Promise<Reply> {
  const order = await shopper.order();
  const held = shop.holdNextPayment();
  const owner = shopper.pay(order, { key: 'k' });
  await held;
  const reply = await shopper.pay(order, { key: how === 'same key' ? 'k' : 'l' });
  shop.letGo();
  await owner;
  return reply;
}

describe('the table', () => {
  it('ties each code to its status and verdict', () => {
    const rows = problemCodes.map((code) => [code, [PROBLEMS[code].status, PROBLEMS[code].retry]]);
    expect(Object.fromEntries(rows)).toEqual(TABLE);
  });

  it('has a cause for every code', () => {
    expect(Object.keys(CAUSES).sort()).toEqual([...problemCodes].sort());
  });
});

const WITH_RETRY_AFTER: ProblemCode[] = [
  'request_in_progress',
  'order_being_paid',
  'rate_limited',
  'unavailable',
];

describe.each(Object.entries(CAUSES) as [ProblemCode, (shopper: Shopper) => Promise<Reply>][])(
  '%s',
  (code, cause) => {
    it('is a whole problem, and says when to come back where that helps', async () => {
      const reply = await cause(await shop.newShopper());
      const problem = expectProblem(reply, code);
      expect(problem.detail).not.toBe('');
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(reply.headers['cache-control']).toBe('no-store');
      if (WITH_RETRY_AFTER.includes(code)) expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      else expect(reply.headers).not.toHaveProperty('retry-after');
    });
  },
);

describe('the page of a problem', () => {
  it.each(problemCodes)('%s explains it in English and in Indonesian', async (code) => {
    const reply = await send(`${shop.url}/problems/${code}`, { method: 'GET' });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain('text/html');
    expect(reply.text).toContain(code);
    expect(reply.text).toMatch(/<div lang="id"><h2>[^<]+<\/h2>/);
    for (const heading of [
      'Did money move?',
      'What to do now',
      'Apakah uang berpindah?',
      'Yang perlu dilakukan',
    ]) {
      expect(reply.text).toMatch(new RegExp(`<h2>${heading.replace('?', '[?]')}</h2><p>[^<]+</p>`));
    }
  });

  it('that nobody knows is a problem itself', async () => {
    expectProblem(await send(`${shop.url}/problems/nonsense`, { method: 'GET' }), 'not_found');
  });
});

describe('the router', () => {
  it.each([
    ['GET', '/api/no-such-thing'],
    ['PATCH', '/api/no-such-thing'],
    ['GET', '/api/'],
    ['GET', `/api/orders/${'x'.repeat(5_000)}`],
    ['GET', '/assets/no-such-file.js'],
    ['GET', '/no-such-page'],
  ])('answers %s %s with a problem', async (method, path) => {
    const shopper = await shop.newShopper();
    const headers = { accept: 'application/json' };
    expectProblem(await shopper.send(method, path, { headers }), 'not_found');
  });

  it('answers an address that cannot be decoded with a problem', async () => {
    const shopper = await shop.newShopper();
    for (const path of ['/api/orders/%zz', '/api/orders/%E0%A4%A', '/%']) {
      expectProblem(await shopper.send('GET', path), 'request_invalid');
    }
  });
});

describe('a request that Node itself would refuse', () => {
  const body = '{"session":"token"}';
  const type = 'Content-Type: application/json';

  it.each([
    ['is no HTTP', 'hello\r\n\r\n'],
    ['has a method that does not exist', requestBytes('NOSUCH /api/cart', [])],
    ['has a broken header', requestBytes('GET /api/cart', ['no colon'])],
    ['has a header with a NUL', requestBytes('GET /api/cart', ['a: \0'])],
    ['has no host', 'GET /api/cart HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['has two lengths', requestBytes('POST /api/sandboxes', [type, 'Content-Length: 1'], body)],
    [
      'has a length and chunks',
      requestBytes('POST /api/sandboxes', [type, 'Transfer-Encoding: chunked'], body),
    ],
    [
      'has a chunk of no size',
      `${requestBytes('POST /api/sandboxes', [type, 'Transfer-Encoding: chunked'])}x\r\n\r\n`,
    ],
  ])('because it %s is a problem', async (_name, bytes) => {
    expectProblem(await sendBytes(shop.url, bytes), 'request_invalid');
  });

  it('because it expects what nobody offers is answered as if it did not', async () => {
    const bytes = requestBytes('GET /api/cart', ['Expect: a-miracle']);
    expectProblem(await sendBytes(shop.url, bytes), 'unauthenticated');
  });

  it('because its headers are larger than 16 KB is a problem', async () => {
    const bytes = requestBytes('GET /api/cart', [`Padding: ${'x'.repeat(16 * 1024)}`]);
    expectProblem(await sendBytes(shop.url, bytes), 'payload_too_large');
  });
});

describe('a detail', () => {
  it('repeats nothing that was sent', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const canary = 'canary4242';
    const path = `/api/orders/${order.id}/payments`;
    const json = { 'content-type': 'application/json' };
    const key = { 'idempotency-key': canary };
    const body = balancePayment(order);
    const replies = [
      await shopper.send('POST', path, { headers: { 'idempotency-key': `${canary},` }, body }),
      await shopper.send('POST', path, { headers: { 'idempotency-key': [canary, canary] }, body }),
      await shopper.send('POST', path, { headers: key, body: { ...body, [canary]: 1 } }),
      await shopper.send('POST', path, { headers: key, body: { ...body, currency: canary } }),
      await shopper.send('POST', path, { headers: key, body: { ...body, method: { type: canary } } }),
      await shopper.send('POST', path, {
        headers: key,
        body: { ...body, method: { type: 'balance', [canary]: 1 } },
      }),
      await shopper.send('POST', path, {
        headers: key,
        body: { ...body, method: { type: 'card', card: canary } },
      }),
      await shopper.send('POST', `/api/payments/${canary}/refunds`, {
        headers: key,
        body: { amountMinor: 1 },
      }),
      await shopper.send('GET', `/api/refunds/${canary}`),
      await shopper.send('POST', '/api/messages', {
        headers: key,
        body: { name: canary, email: canary, text: canary },
      }),
      await shopper.send('POST', path, {
        headers: { ...key, ...json },
        body: `{"${canary}":1,"${canary}":2}`,
      }),
      await shopper.send('POST', path, { headers: { ...key, ...json }, body: canary }),
      await shopper.send('POST', path, {
        headers: { ...key, 'content-type': `text/${canary}` },
        body: canary,
      }),
      await shopper.send('POST', `/api/orders/${canary}/payments`, { headers: key, body }),
      await shopper.send('PUT', `/api/orders/${canary}`, { body: { items: [] } }),
      await shopper.send('PUT', `/api/orders/${randomUUID()}`, {
        body: { items: [{ concertId: canary, quantity: 1 }] },
      }),
      await shopper.send('GET', `/api/payments/${canary}`),
      await shopper.send('GET', `/api/${canary}?${canary}=${canary}`),
      await shopper.send('GET', `/api/%zz${canary}`),
      await shopper.send('GET', '/api/cart', { headers: { authorization: `Bearer ${canary}` } }),
      await sendBytes(shop.url, requestBytes(`GET /${canary}`, [canary])),
    ];
    for (const reply of replies) {
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      expect(reply.text).not.toContain(canary);
    }
  });
});
