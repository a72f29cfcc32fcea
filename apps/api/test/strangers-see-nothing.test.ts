import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Order, ordersSchema, paymentSchema } from '@pay-once/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import { balancePayment, CONCERT_OF_500_SEATS, type Shopper } from './shopper.js';

const shop = useShop();

const KEY = randomUUID();
const UNKNOWN_ID = randomUUID();

/** Things in place of an id. Only what the router itself cannot take is answered elsewhere. */
const MALFORMED_IDS = [
  'x',
  '0',
  'null',
  '..%2F..%2Fsandbox',
  '%00',
  "'%20or%20'1'='1",
  '%F0%9F%8E%AB',
  `${UNKNOWN_ID}0`,
  `{${UNKNOWN_ID}}`,
  UNKNOWN_ID.replaceAll('-', ''),
];

let owner: Shopper;
let stranger: Shopper;
let order: Order;
let paymentId: string;

beforeAll(async () => {
  owner = await shop.newShopper();
  stranger = await shop.newShopper();
  order = await owner.order();
  await stranger.order();
  paymentId = paymentSchema.parse(JSON.parse((await owner.pay(order, { key: KEY })).text)).id;
});

/** What may differ between two answers to two requests. */
function withoutItsOwn({ status, headers, text }: Reply): object {
  const { date: _date, 'x-request-id': requestId, ...rest } = headers;
  return { status, headers: rest, text: text.replace(String(requestId), '') };
}

interface Route {
  method: string;
  path: (id: string) => string;
  /** An id that the owner sees something at. */
  owned: () => string;
  body?: () => object;
}

const ROUTES: Route[] = [
  { method: 'GET', path: (id) => `/api/orders/${id}`, owned: () => order.id },
  {
    method: 'POST',
    path: (id) => `/api/orders/${id}/payments`,
    owned: () => order.id,
    body: () => balancePayment(order),
  },
  { method: 'GET', path: (id) => `/api/payments/${id}`, owned: () => paymentId },
];

describe.each(ROUTES)('$method of something with an id', ({ method, path, owned, body }) => {
  const ask = (shopper: Shopper, id: string): Promise<Reply> =>
    shopper.send(method, path(id), { headers: { 'idempotency-key': KEY }, body: body?.() });

  it('shows its owner what is there', async () => {
    expect([200, 201]).toContain((await ask(owner, owned())).status);
  });

  it('gives a stranger the same 404 as for an id that nobody has', async () => {
    const strange = await ask(stranger, owned());
    expectProblem(strange, 'not_found');
    expect(withoutItsOwn(strange)).toEqual(withoutItsOwn(await ask(stranger, UNKNOWN_ID)));
  });

  it('gives the same 404 for what is no id', async () => {
    const unknown = withoutItsOwn(await ask(stranger, UNKNOWN_ID));
    for (const id of MALFORMED_IDS) expect(withoutItsOwn(await ask(stranger, id)), id).toEqual(unknown);
  });

  it('leaves a stranger’s key unused', async () => {
    await ask(stranger, owned());
    expect(await shop.recorded(stranger)).toMatchObject({ charges: 0, payments: [], keys: [] });
  });
});

describe.each([
  ['GET', '', undefined],
  ['PUT', '/like', undefined],
  ['DELETE', '/like', undefined],
])('%s of a concert%s', (method, suffix) => {
  it('gives the same 404 for an unknown concert and for what is no id', async () => {
    const path = (id: string): string => `/api/concerts/${id}${suffix}`;
    const unknown = await stranger.send(method, path(UNKNOWN_ID));
    expectProblem(unknown, 'not_found');
    for (const id of MALFORMED_IDS) {
      const reply = await stranger.send(method, path(id));
      expect(withoutItsOwn(reply), id).toEqual(withoutItsOwn(unknown));
    }
  });
});

describe('putting into the cart', () => {
  it('gives the same 404 for an unknown concert and for what is no id', async () => {
    const put = (id: string): Promise<Reply> =>
      stranger.send('PUT', `/api/cart/items/${id}`, { body: { quantity: 1 } });
    const unknown = await put(UNKNOWN_ID);
    expectProblem(unknown, 'not_found');
    for (const id of MALFORMED_IDS) expect(withoutItsOwn(await put(id)), id).toEqual(withoutItsOwn(unknown));
  });
});

describe('a list', () => {
  it('of orders, a cart, a balance and a summary are this sandbox’s only', async () => {
    const visitor = await shop.newShopper();
    await owner.send('PUT', `/api/cart/items/${CONCERT_OF_500_SEATS}`, { body: { quantity: 2 } });
    const orders = ordersSchema.parse(JSON.parse((await visitor.send('GET', '/api/orders')).text));
    expect(orders).toEqual({ orders: [] });
    expect(JSON.parse((await visitor.send('GET', '/api/cart')).text)).toMatchObject({ items: [] });
    expect(await visitor.summary()).toMatchObject({ charges: { count: 0, amountMinor: 0 } });
    const sandbox = JSON.parse((await visitor.send('GET', '/api/sandbox')).text);
    expect(sandbox).toMatchObject({ id: visitor.sandboxId, balance: { amountMinor: 1_000_000_000 } });
  });
});

describe('a stranger’s PUT of an order id that exists', () => {
  it('makes the stranger’s own order and tells nothing of the other', async () => {
    const items = [{ concertId: CONCERT_OF_500_SEATS, quantity: 9 }];
    const visitor = await shop.newShopper();
    const reply = await visitor.send('PUT', `/api/orders/${order.id}`, { body: { items } });
    expect(reply.status).toBe(201);
    expect(JSON.parse(reply.text)).toMatchObject({ status: 'unpaid', payments: [] });
    expect(await owner.show(order)).toMatchObject({ status: 'paid', items: order.items });
  });
});

describe('the pages', () => {
  it.each(['orders', 'checkout'])('/%s/… show a stranger the same as for an unknown order', async (kind) => {
    const page = async (shopper: Shopper, id: string): Promise<Reply> =>
      shopper.send('GET', `/${kind}/${id}`, { headers: { accept: 'text/html' } });
    expect((await page(owner, order.id)).status).toBe(200);
    const unknown = await page(stranger, UNKNOWN_ID);
    expect(unknown.status).toBe(404);
    expect(withoutItsOwn(await page(stranger, order.id))).toEqual(withoutItsOwn(unknown));
    expect((await page(owner, order.id)).text).toContain(order.number);
  });
});

/** Every route with an id in its address: those above, the plain form (form.test.ts), and the pages of problems. */
const ROUTES_WITH_ID = [
  ...ROUTES.map(({ method, path }) => `${method} ${path(':')}`),
  'DELETE /api/concerts/:/like',
  'GET /api/concerts/:',
  'GET /problems/:',
  'POST /checkout/:/pay',
  'PUT /api/cart/items/:',
  'PUT /api/concerts/:/like',
  'PUT /api/orders/:',
];

it('Every route with an id is asked for a stranger’s', () => {
  const source = fileURLToPath(new URL('../src', import.meta.url));
  const routes = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.controller.ts'))
    .map((name) => readFileSync(`${source}/${name}`, 'utf8'))
    .flatMap((text) => {
      const prefix = /@Controller\('([^']+)'\)/.exec(text)?.[1];
      const paths = text.matchAll(/@(Get|Post|Put|Patch|Delete)\('([^']*:[^']*)'\)/g);
      return [...paths].map(([, method = '', path]) => `${method.toUpperCase()} /${prefix}/${path}`);
    })
    .map((route) => route.replace(/:\w+/g, ':'));
  expect(routes.sort()).toEqual(ROUTES_WITH_ID.sort());
});
