import { randomUUID } from 'node:crypto';
import type { Order } from '@pay-once/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import { balancePayment, CONCERT_OF_500_SEATS, type Shopper } from './shopper.js';

const shop = useShop();

let shopper: Shopper;
let order: Order;

beforeAll(async () => {
  shopper = await shop.newShopper();
  order = await shopper.order();
});

/** What no column of a type takes, or takes and should not, as JSON that a client can send. */
const HOSTILE = {
  uuid: ['', 'x', "' or 1=1 --", 'null', '\u{1F3AB}', '0'.repeat(36), `${randomUUID()}0`, 1, null, [], {}],
  integer: [-1, 11, 0.5, 2 ** 31, -(2 ** 31) - 1, '1', '', null, true, [1], {}],
  bigint: [-1, 0.5, 1e13 + 1, 2 ** 53 - 1, -(2 ** 53) + 1, '1', '', null, true, [1], {}],
  text: ['', 'X', 'idr', 'IDR\n', "IDR'; --", '\u0130DR', 'x'.repeat(20_000), 1, null, true, ['IDR'], {}],
};

type ColumnType = keyof typeof HOSTILE;
type Send = (value: unknown) => Promise<Reply>;

const inPath = (value: unknown): string => encodeURIComponent(String(value)) || '%20';

/** Every place of a request whose value goes into a column. */
const PLACES: [place: string, type: ColumnType, send: Send][] = [
  ['the order’s id', 'uuid', (value) => shopper.send('GET', `/api/orders/${inPath(value)}`)],
  [
    'a new order’s id',
    'uuid',
    (value) => shopper.send('PUT', `/api/orders/${inPath(value)}`, { body: { items: [anItem({})] } }),
  ],
  ['the payment’s id', 'uuid', (value) => shopper.send('GET', `/api/payments/${inPath(value)}`)],
  ['the concert’s id', 'uuid', (value) => shopper.send('GET', `/api/concerts/${inPath(value)}`)],
  ['a like', 'uuid', (value) => shopper.send('PUT', `/api/concerts/${inPath(value)}/like`)],
  [
    'the cart’s concert',
    'uuid',
    (value) => shopper.send('PUT', `/api/cart/items/${inPath(value)}`, { body: { quantity: 1 } }),
  ],
  ['an item’s concert', 'uuid', (value) => putOrder(anItem({ concertId: value }))],
  ['an item’s quantity', 'integer', (value) => putOrder(anItem({ quantity: value }))],
  [
    'the cart’s quantity',
    'integer',
    (value) => shopper.send('PUT', `/api/cart/items/${CONCERT_OF_500_SEATS}`, { body: { quantity: value } }),
  ],
  [
    'the balance',
    'bigint',
    (value) => shopper.send('PUT', '/api/sandbox/balance', { body: { amountMinor: value } }),
  ],
  ['a payment’s amount', 'bigint', (value) => pay({ amountMinor: value })],
  ['a payment’s currency', 'text', (value) => pay({ currency: value })],
  ['a payment’s method', 'text', (value) => pay({ method: { type: value } })],
  ['a payment’s card', 'text', (value) => pay({ method: { type: 'card', card: value } })],
];

function anItem(change: object): object {
  return { concertId: CONCERT_OF_500_SEATS, quantity: 1, ...change };
}

function putOrder(item: object): Promise<Reply> {
  return shopper.send('PUT', `/api/orders/${randomUUID()}`, { body: { items: [item] } });
}

function pay(change: object): Promise<Reply> {
  return shopper.pay(order, { key: randomUUID(), body: { ...balancePayment(order), ...change } });
}

/** Who is asking is looked up by a hash, whatever else the request says. */
const LOOK_UP = 'select id from sandboxes where token_hash = $1';

describe('a hostile value', () => {
  it.each(PLACES)(
    'for %s (%s) is refused before any SQL but the look-up of who asks',
    async (_place, type, ask) => {
      for (const value of HOSTILE[type]) {
        shop.wire.cutAt(Number.MAX_SAFE_INTEGER, 'request');
        const reply = await ask(value);
        const { statements } = shop.wire.mend();
        const what = `${JSON.stringify(value).slice(0, 50)} → ${reply.status}`;
        expect(reply.status, what).toBeGreaterThanOrEqual(400);
        expect(reply.status, what).toBeLessThan(500);
        expect(reply.headers['content-type'], what).toBe('application/problem+json');
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
