import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Order } from '@pay-once/contracts';
import * as contracts from '@pay-once/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import { balancePayment, CONCERT_OF_500_SEATS, LOOK_UP, type Shopper } from './shopper.js';

const shop = useShop();

let shopper: Shopper;
let order: Order;
let formToken: string;

beforeAll(async () => {
  shopper = await shop.newShopper();
  order = await shopper.order();
  const page = await shopper.send('GET', `/checkout/${order.id}`, { headers: { accept: 'text/html' } });
  formToken = /name="formToken" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  expect(formToken).not.toBe('');
});

/** What no column of a type takes, or takes and should not, as JSON that a client can send. */
const HOSTILE = {
  uuid: ['', 'x', "' or 1=1 --", 'null', '\u{1F3AB}', '0'.repeat(36), `${randomUUID()}0`, 1, null, [], {}],
  integer: [-1, 11, 0.5, 2 ** 31, -(2 ** 31) - 1, '1', '', null, true, [1], {}],
  bigint: [-1, 0.5, 1e13 + 1, 2 ** 53 - 1, -(2 ** 53) + 1, '1', '', null, true, [1], {}],
  text: ['', 'X', 'idr', 'IDR\n', "IDR'; --", '\u0130DR', 'x'.repeat(20_000), 1, null, true, ['IDR'], {}],
  'free text': ['', ' \n', '\0', 'a\0b', '\ud800', '\udc00a', 'x'.repeat(20_000), 1, null, true, ['Ayu'], {}],
  email: [
    '',
    'ayu',
    'ayu@',
    '@example.com',
    "' or 1=1 --",
    'a\0@b.co',
    `${'x'.repeat(300)}@b.co`,
    1,
    null,
    ['a@b.co'],
  ],
  // Of the form, which sends nothing but texts.
  'amount as text': ['', '-1', '0', '0.5', '1e3', '10000000000001', '999999999999999', 'NaN', '\0', "1' --"],
  'choice as text': ['', 'X', 'idr', 'IDR\n', "IDR'; --", '\u0130DR', '\0', 'x'.repeat(20_000)],
  key: ['', 'a,b', '"a', '\0', '\u{1F3AB}', 'x'.repeat(256)],
};

type ColumnType = keyof typeof HOSTILE;
type Send = (value: unknown) => Promise<Reply>;

const inPath = (value: unknown): string => encodeURIComponent(String(value)) || '%20';

/** Every place of a request whose value goes into a column, by its route and its id or member. */
const PLACES: [place: string, type: ColumnType, send: Send][] = [
  ['GET /api/orders/:orderId', 'uuid', (value) => shopper.send('GET', `/api/orders/${inPath(value)}`)],
  [
    'PUT /api/orders/:orderId',
    'uuid',
    (value) => shopper.send('PUT', `/api/orders/${inPath(value)}`, { body: { items: [anItem({})] } }),
  ],
  ['PUT /api/orders/:orderId items[].concertId', 'uuid', (value) => putOrder(anItem({ concertId: value }))],
  ['PUT /api/orders/:orderId items[].quantity', 'integer', (value) => putOrder(anItem({ quantity: value }))],
  ['GET /api/payments/:paymentId', 'uuid', (value) => shopper.send('GET', `/api/payments/${inPath(value)}`)],
  ['GET /api/refunds/:refundId', 'uuid', (value) => shopper.send('GET', `/api/refunds/${inPath(value)}`)],
  ['GET /api/concerts/:concertId', 'uuid', (value) => shopper.send('GET', `/api/concerts/${inPath(value)}`)],
  [
    'PUT /api/concerts/:concertId/like',
    'uuid',
    (value) => shopper.send('PUT', `/api/concerts/${inPath(value)}/like`),
  ],
  [
    'DELETE /api/concerts/:concertId/like',
    'uuid',
    (value) => shopper.send('DELETE', `/api/concerts/${inPath(value)}/like`),
  ],
  ['PUT /api/cart/items/:concertId', 'uuid', (value) => putIntoCart(inPath(value), 1)],
  ['PUT /api/cart/items/:concertId quantity', 'integer', (value) => putIntoCart(CONCERT_OF_500_SEATS, value)],
  [
    'PUT /api/sandbox/balance amountMinor',
    'bigint',
    (value) => shopper.send('PUT', '/api/sandbox/balance', { body: { amountMinor: value } }),
  ],
  ['POST /api/orders/:orderId/payments', 'uuid', (value) => pay({}, inPath(value))],
  ['POST /api/orders/:orderId/payments amountMinor', 'bigint', (value) => pay({ amountMinor: value })],
  ['POST /api/orders/:orderId/payments currency', 'text', (value) => pay({ currency: value })],
  ['POST /api/orders/:orderId/payments method.type', 'text', (value) => pay({ method: { type: value } })],
  [
    'POST /api/orders/:orderId/payments method.card',
    'text',
    (value) => pay({ method: { type: 'card', card: value } }),
  ],
  ['POST /api/payments/:paymentId/refunds', 'uuid', (value) => refund({}, inPath(value))],
  ['POST /api/payments/:paymentId/refunds amountMinor', 'bigint', (value) => refund({ amountMinor: value })],
  [
    'POST /api/payments/:paymentId/refunds refundedMinor',
    'bigint',
    (value) => refund({ refundedMinor: value }),
  ],
  ['POST /api/messages name', 'free text', (value) => write({ name: value })],
  ['POST /api/messages email', 'email', (value) => write({ email: value })],
  ['POST /api/messages text', 'free text', (value) => write({ text: value })],
  ['POST /checkout/:orderId/pay', 'uuid', (value) => press({}, inPath(value))],
  ['POST /checkout/:orderId/pay idempotencyKey', 'key', (value) => press({ idempotencyKey: value })],
  ['POST /checkout/:orderId/pay amountMinor', 'amount as text', (value) => press({ amountMinor: value })],
  ['POST /checkout/:orderId/pay currency', 'choice as text', (value) => press({ currency: value })],
  ['POST /checkout/:orderId/pay method', 'choice as text', (value) => press({ method: value })],
  ['POST /checkout/:orderId/pay card', 'choice as text', (value) => press({ method: 'card', card: value })],
];

/** What is compared with words of ours, or with a hash, and goes no further. */
const NO_COLUMN = [
  'GET /problems/:code',
  'POST /api/sandboxes session',
  'POST /checkout/:orderId/pay formToken',
];

function anItem(change: object): object {
  return { concertId: CONCERT_OF_500_SEATS, quantity: 1, ...change };
}

function putOrder(item: object): Promise<Reply> {
  return shopper.send('PUT', `/api/orders/${randomUUID()}`, { body: { items: [item] } });
}

function putIntoCart(concertId: string, quantity: unknown): Promise<Reply> {
  return shopper.send('PUT', `/api/cart/items/${concertId}`, { body: { quantity } });
}

function post(path: string, body: object): Promise<Reply> {
  return shopper.send('POST', path, { headers: { 'idempotency-key': randomUUID() }, body });
}

function pay(change: object, orderId = order.id): Promise<Reply> {
  return post(`/api/orders/${orderId}/payments`, { ...balancePayment(order), ...change });
}

function refund(change: object, paymentId: string = randomUUID()): Promise<Reply> {
  return post(`/api/payments/${paymentId}/refunds`, { amountMinor: 1, ...change });
}

function write(change: object): Promise<Reply> {
  return post('/api/messages', { name: 'Ayu', email: 'ayu@example.com', text: 'Hello', ...change });
}

function press(change: Record<string, unknown>, orderId = order.id): Promise<Reply> {
  const { amountMinor, currency } = order;
  const fields = { idempotencyKey: randomUUID(), formToken, amountMinor, currency, ...change };
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return shopper.send('POST', `/checkout/${orderId}/pay`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(texts).toString(),
  });
}

/** A problem, or for the form the way to the page that says it. */
function expectRefused(reply: Reply, what: string): void {
  if (reply.status === 303) {
    expect(reply.headers['location'], what).toMatch(/^\/$|[?]problem=/);
    return;
  }
  expect(reply.status, what).toBeGreaterThanOrEqual(400);
  expect(reply.status, what).toBeLessThan(500);
  expect(reply.headers['content-type'], what).toBe('application/problem+json');
}

describe('a hostile value', () => {
  it.each(PLACES)(
    'for %s (%s) is refused before any SQL but the look-up of who asks',
    async (_place, type, ask) => {
      for (const value of HOSTILE[type]) {
        shop.wire.cutAt(Number.MAX_SAFE_INTEGER, 'request');
        const reply = await ask(value);
        const { statements } = shop.wire.mend();
        const what = `${JSON.stringify(value).slice(0, 50)} → ${reply.status}`;
        expectRefused(reply, what);
        expect(statements, what).toEqual([LOOK_UP]);
      }
      expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });
    },
  );

  it('for a token or a key never becomes part of a statement', async () => {
    const hostile = [`'; drop table payments; --`, '$1', '\\', '%', 'x'.repeat(8_000)];
    for (const value of hostile) {
      shop.wire.cutAt(Number.MAX_SAFE_INTEGER, 'request');
      const refused = await shopper.send('GET', '/api/cart', {
        headers: { authorization: `Bearer ${value}` },
      });
      const { statements } = shop.wire.mend();
      expect(refused.status).toBe(401);
      expect(statements.filter((statement) => statement !== LOOK_UP)).toEqual([]);
    }
    for (const key of hostile.slice(0, 4)) {
      const next = await shopper.order();
      expect((await shopper.pay(next, { key })).status).toBe(201);
      expect((await shop.recorded(shopper)).keys).toContain(key);
    }
  });
});

/** The members of a body that hold a value, such as `items[].quantity`. */
function membersOf(schema: z.core.JSONSchema._JSONSchema, path = ''): string[] {
  if (typeof schema === 'boolean') return [path];
  const { properties, items, anyOf, oneOf } = schema;
  const ways = anyOf ?? oneOf;
  if (ways !== undefined) return ways.flatMap((way) => membersOf(way, path));
  if (items !== undefined && !Array.isArray(items)) return membersOf(items, `${path}[]`);
  if (properties === undefined) return [path];
  return Object.entries(properties).flatMap(([name, member]) =>
    membersOf(member, path === '' ? name : `${path}.${name}`),
  );
}

/** The members of the body schema of this name: one of the contract, or one that the controller's own text holds. */
function bodyMembers(name: string, text: string): string[] {
  const schema = Object.entries(contracts).find(([exported]) => exported === name)?.[1];
  if (schema instanceof z.ZodType) return membersOf(z.toJSONSchema(schema, { io: 'input' }));
  const [, own = ''] =
    new RegExp(`const ${name} = z\\.strictObject\\(\\{(.*?)\\n\\}\\)`, 's').exec(text) ?? [];
  const members = [...own.matchAll(/^ {2}(\w+):/gm)].map(([, member = '']) => member);
  if (members.length === 0) throw new Error(`There is no schema ${name}.`);
  return members;
}

it('Every id in a path and every member of a body is tried, or goes into no column', () => {
  const source = fileURLToPath(new URL('../src', import.meta.url));
  const places = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.controller.ts'))
    .map((name) => readFileSync(`${source}/${name}`, 'utf8'))
    .flatMap((text) => {
      const prefix = /@Controller\('([^']+)'\)/.exec(text)?.[1] ?? '';
      const [, ...handlers] = text.split(/^ {2}@(?=(?:Get|Post|Put|Patch|Delete)\()/m);
      return handlers.flatMap((handler) => {
        const [, method = '', path = ''] = /^(\w+)\((?:'([^']*)')?\)/.exec(handler) ?? [];
        const route = `${method.toUpperCase()} /${[prefix, path].filter((part) => part !== '').join('/')}`;
        const [, body] = /@Body\(\{ schema: (\w+) \}\)/.exec(handler) ?? [];
        const members = body === undefined ? [] : bodyMembers(body, text);
        const ids = route.includes(':') ? [route] : [];
        return [...ids, ...members.map((member) => `${route} ${member}`)];
      });
    });
  expect([...new Set(places)].sort()).toEqual([...PLACES.map(([place]) => place), ...NO_COLUMN].sort());
});
