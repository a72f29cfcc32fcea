import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Order } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import { balancePayment, type Shopper } from './shopper.js';

const shop = useShop();

interface KeyedRoute {
  route: string;
  send: (shopper: Shopper, order: Order, key: string) => Promise<Reply>;
}

/** Every route that takes a key, with a request that succeeds. */
const KEYED_ROUTES: KeyedRoute[] = [
  {
    route: 'POST /api/orders/:orderId/payments',
    send: (shopper, order, key) => shopper.pay(order, { key, body: balancePayment(order) }),
  },
  {
    route: 'POST /checkout/:orderId/pay',
    send: async (shopper, { id, amountMinor, currency }, idempotencyKey) => {
      const page = await shopper.send('GET', `/checkout/${id}`, { headers: { accept: 'text/html' } });
      // After the first press the page holds a receipt and no form; the browser sends its old one again.
      const [, formToken = formTokens.get(id)] = /name="formToken" value="([^"]+)"/.exec(page.text) ?? [];
      formTokens.set(id, String(formToken));
      const fields = {
        idempotencyKey,
        formToken: String(formToken),
        amountMinor: String(amountMinor),
        currency,
      };
      return shopper.send('POST', `/checkout/${id}/pay`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      });
    },
  },
];
const formTokens = new Map<string, string>();

describe.each(KEYED_ROUTES)('$route', ({ send }) => {
  it('answers the same request twice with one answer and one effect', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const first = await send(shopper, order, key);
    const second = await send(shopper, order, key);
    expect([201, 303]).toContain(first.status);
    expect(second.status).toBe(first.status);
    expect(second.body).toEqual(first.body);
    for (const header of ['content-type', 'location', 'operation-id']) {
      expect(second.headers[header], header).toBe(first.headers[header]);
    }
    expect(first.headers['location']).toBeDefined();
    expect(await shop.recorded(shopper)).toMatchObject({
      charges: 1,
      chargedMinor: order.amountMinor,
      payments: ['succeeded'],
      ordersPaid: 1,
      keys: [key],
    });
  });
});

it('Every route of a controller that takes keys is in the table', () => {
  const source = fileURLToPath(new URL('../src', import.meta.url));
  const routes = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.controller.ts'))
    .map((name) => readFileSync(`${source}/${name}`, 'utf8'))
    .filter((text) => text.includes('IdempotencyService'))
    .flatMap((text) => {
      const prefix = /@Controller\('([^']+)'\)/.exec(text)?.[1];
      return [...text.matchAll(/@Post\('([^']+)'\)/g)].map(([, path]) => `POST /${prefix}/${path}`);
    });
  expect(routes.sort()).toEqual(KEYED_ROUTES.map(({ route }) => route).sort());
});
