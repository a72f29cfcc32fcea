import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Order, paymentSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import type { Reply } from './http-request.js';
import { cardPayment, type Shopper } from './shopper.js';

const shop = useCardShop();

type Send = (key: string) => Promise<Reply>;

interface KeyedRoute {
  route: string;
  what: string;
  /** Makes what has to be there before; returns how to send a request that succeeds. */
  prepare: (shopper: Shopper) => Promise<Send>;
  /** What exists when it was done once: what was needed before is counted, too. */
  once: Partial<Effects>;
}

interface Effects {
  charges: number;
  refunds: number;
  messages: number;
  /** At the card network. */
  operations: number;
  keys: number;
}

/** Every route that takes a key, with every way through it. */
const KEYED_ROUTES: KeyedRoute[] = [
  {
    route: 'POST /api/orders/:orderId/payments',
    what: 'a payment from the balance',
    prepare: async (shopper) => {
      const order = await shopper.order();
      return (key) => shopper.pay(order, { key });
    },
    once: { charges: 1, keys: 1 },
  },
  {
    route: 'POST /api/orders/:orderId/payments',
    what: 'a payment by card',
    prepare: async (shopper) => {
      const order = await shopper.order();
      return (key) => shopper.pay(order, { key, body: cardPayment(order, 'card_visa_approved') });
    },
    once: { charges: 1, operations: 1, keys: 1 },
  },
  {
    route: 'POST /api/payments/:paymentId/refunds',
    what: 'a refund to the balance',
    prepare: async (shopper) => {
      const order = await shopper.order();
      return refundOf(shopper, await shopper.pay(order, { key: randomUUID() }));
    },
    once: { charges: 1, refunds: 1, keys: 2 },
  },
  {
    route: 'POST /api/payments/:paymentId/refunds',
    what: 'a refund to a card',
    prepare: async (shopper) => {
      const order = await shopper.order();
      const body = cardPayment(order, 'card_visa_approved');
      return refundOf(shopper, await shopper.pay(order, { key: randomUUID(), body }));
    },
    once: { charges: 1, refunds: 1, operations: 2, keys: 2 },
  },
  {
    route: 'POST /api/messages',
    what: 'a message',
    prepare: async (shopper) => (key) =>
      shopper.send('POST', '/api/messages', {
        headers: { 'idempotency-key': key },
        body: { name: 'Ayu', email: 'ayu@example.com', text: 'Is there a cloakroom?' },
      }),
    once: { messages: 1, keys: 1 },
  },
  {
    route: 'POST /checkout/:orderId/pay',
    what: 'the plain form',
    prepare: async (shopper) => pressIn(shopper, await shopper.order()),
    once: { charges: 1, keys: 1 },
  },
];

/** A refund of all that was paid. */
function refundOf(shopper: Shopper, paid: Reply): Send {
  const { id, amountMinor } = paymentSchema.parse(JSON.parse(paid.text));
  return (key) =>
    shopper.send('POST', `/api/payments/${id}/refunds`, {
      headers: { 'idempotency-key': key },
      body: { amountMinor },
    });
}

/** After the first press the page holds a receipt and no form: a browser that sends again sends what it had. */
async function pressIn(shopper: Shopper, { id, amountMinor, currency }: Order): Promise<Send> {
  const page = await shopper.send('GET', `/checkout/${id}`, { headers: { accept: 'text/html' } });
  const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(page.text) ?? [];
  return (idempotencyKey) => {
    const fields = { idempotencyKey, formToken, amountMinor: String(amountMinor), currency };
    return shopper.send('POST', `/checkout/${id}/pay`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  };
}

async function effectsOf({ sandboxId }: Shopper): Promise<Effects> {
  const [row] = await shop.sql<Omit<Effects, 'operations'> & { references: string[] }>(
    `select (select count(*)::integer from ledger_entries where sandbox_id = $1 and kind = 'charge') as charges,
            (select count(*)::integer from ledger_entries where sandbox_id = $1 and kind = 'refund') as refunds,
            (select count(*)::integer from messages where sandbox_id = $1) as messages,
            (select count(*)::integer from idempotency_records where tenant_id = $1::text) as keys,
            array(select id from payments where sandbox_id = $1
                  union all select id from refunds where sandbox_id = $1) as references`,
    [sandboxId],
  );
  if (row === undefined) throw new Error('Nothing was counted.');
  const { references, ...counts } = row;
  const operations = await shop.network.operations();
  return {
    ...counts,
    operations: operations.filter(({ reference }) => references.includes(reference)).length,
  };
}

const NOTHING: Effects = { charges: 0, refunds: 0, messages: 0, operations: 0, keys: 0 };

describe.each(KEYED_ROUTES)('$route with $what', ({ route, prepare, once }) => {
  it('answers the same request twice with one answer and one effect', async () => {
    const shopper = await shop.newShopper();
    const send = await prepare(shopper);
    const key = randomUUID();
    const first = await send(key);
    const second = await send(key);
    expect([201, 303]).toContain(first.status);
    expect(second.status).toBe(first.status);
    expect(second.body).toEqual(first.body);
    for (const header of ['content-type', 'location', 'operation-id']) {
      expect(second.headers[header], header).toBe(first.headers[header]);
    }
    // A message is nowhere to be read again.
    expect(first.headers['location'] === undefined).toBe(route === 'POST /api/messages');
    expect(await effectsOf(shopper)).toEqual({ ...NOTHING, ...once });
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
      const paths = [...text.matchAll(/@Post\((?:'([^']+)')?\)/g)].map(([, path]) => path);
      return paths.map((path) => `POST /${prefix}${path === undefined ? '' : `/${path}`}`);
    });
  expect(routes.sort()).toEqual([...new Set(KEYED_ROUTES.map(({ route }) => route))].sort());
});
