import { randomUUID } from 'node:crypto';
import { paymentSchema } from '@pay-once/contracts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import { CONCERT_OF_500_SEATS, type Shopper } from './shopper.js';

const shop = useShop();
let shopper: Shopper;
let orderId: string;
let paymentId: string;

beforeAll(async () => {
  shopper = await shop.newShopper();
  orderId = (await shopper.order()).id;
  const paid = await shopper.pay(await shopper.order(), { key: randomUUID() });
  paymentId = paymentSchema.parse(JSON.parse(paid.text)).id;
});

const ROUTES: [string, string, () => string][] = [
  ['POST', 'sandboxes', () => '/api/sandboxes'],
  ['PUT', 'a balance', () => '/api/sandbox/balance'],
  ['PUT', 'into the cart', () => `/api/cart/items/${CONCERT_OF_500_SEATS}`],
  ['PUT', 'an order', () => `/api/orders/${randomUUID()}`],
  ['POST', 'a payment', () => `/api/orders/${orderId}/payments`],
  ['POST', 'a refund', () => `/api/payments/${paymentId}/refunds`],
  ['POST', 'a message', () => '/api/messages'],
  ['POST', 'the form', () => `/checkout/${orderId}/pay`],
];

/** Members and values that the API knows, beside anything else that JSON can say. */
const knownMember = fc.constantFrom(
  'amountMinor',
  'currency',
  'method',
  'type',
  'items',
  'quantity',
  'session',
  'name',
  'email',
  'text',
);
const knownValue = fc.constantFrom<fc.JsonValue>(35_000_000, 'IDR', 'balance', 'token', 1, 0, -0, 1e13, null);
const hostileJson = fc.letrec<{ value: fc.JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    knownValue,
    fc.jsonValue({ maxDepth: 2 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(knownMember, fc.string({ unit: 'binary' })), tie('value'), { maxKeys: 5 }),
  ),
})).value;

function expectAnswer(reply: Reply): void {
  expect(reply.status, reply.text).toBeLessThan(500);
  if (reply.status >= 400) expect(reply.headers['content-type']).toBe('application/problem+json');
}

describe('hostile JSON', () => {
  it.each(ROUTES)('to %s %s is refused or understood, and never fails', async (method, _name, path) => {
    await fc.assert(
      fc.asyncProperty(hostileJson, async (value) => {
        const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
        expectAnswer(await shopper.send(method, path(), { headers, body: JSON.stringify(value) }));
      }),
      { numRuns: 60 },
    );
  });
});

describe('hostile bytes', () => {
  it.each(ROUTES)('to %s %s are refused, and never fail', async (method, _name, path) => {
    const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'a/b;c="', ''];
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...types), async (bytes, type) => {
        const headers = { 'content-type': type, 'idempotency-key': randomUUID() };
        expectAnswer(await shopper.send(method, path(), { headers, body: Buffer.from(bytes) }));
      }),
      { numRuns: 40 },
    );
  });
});

describe('hostile addresses and headers', () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'api',
      'orders',
      'checkout',
      'pay',
      'problems',
      'assets',
      '..',
      '%00',
      '%zz',
      '%2F',
      '__proto__',
    ),
    fc.string({ unit: 'binary' }).map((text) => {
      return text.isWellFormed() ? encodeURIComponent(text) : '%ff';
    }),
  );
  const headerText = fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .map((code) => String.fromCharCode(code === 0x7f ? 0x20 : code)),
  });

  it('are refused or understood, and never fail', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'),
        fc.array(segment, { maxLength: 5 }),
        fc.record({
          accept: headerText,
          'accept-language': headerText,
          cookie: headerText,
          origin: headerText,
        }),
        async (method, segments, headers) => {
          const reply = await shopper.send(method, `/${segments.join('/')}`, { headers });
          expect(reply.status, reply.text).toBeLessThan(500);
        },
      ),
      { numRuns: 200 },
    );
  });
});

it('After all of that the books are in order', async () => {
  const { balanceMinor, booksMinor } = await shop.recorded(shopper);
  expect(booksMinor).toBe(balanceMinor);
});
