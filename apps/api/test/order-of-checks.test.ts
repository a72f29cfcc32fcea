import { randomUUID } from 'node:crypto';
import type { Order } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import { balancePayment, CONCERT_OF_2_SEATS, type Shopper } from './shopper.js';

const shop = useShop();

const JSON_TYPE = { 'content-type': 'application/json' };
const NOBODY = { authorization: 'Bearer nobody' };
const TWO_KEYS = { 'idempotency-key': ['one', 'two'] };

/** A body for each way in which one can be refused before it is understood. */
const BAD_BODIES = [
  ['too large', 'payload_too_large', { headers: JSON_TYPE, body: ' '.repeat(40_000) }],
  ['of another type', 'unsupported_media_type', { headers: { 'content-type': 'text/plain' }, body: '{}' }],
  ['no JSON', 'request_invalid', { headers: JSON_TYPE, body: '{' }],
  ['not a payment', 'request_invalid', { headers: JSON_TYPE, body: '{}' }],
] as const;

async function shopperWithOrder(): Promise<{ shopper: Shopper; order: Order }> {
  const shopper = await shop.newShopper();
  return { shopper, order: await shopper.order() };
}

function unknownOrder(order: Order): Order {
  return { ...order, id: randomUUID() };
}

describe('who asks comes before', () => {
  it.each(BAD_BODIES)('a body that is %s', async (_name, _code, { headers, body }) => {
    const { shopper, order } = await shopperWithOrder();
    const reply = await shopper.pay(order, { key: randomUUID(), headers: { ...headers, ...NOBODY }, body });
    expectProblem(reply, 'unauthenticated');
  });

  it('a replay', async () => {
    const { shopper, order } = await shopperWithOrder();
    const key = randomUUID();
    expect((await shopper.pay(order, { key })).status).toBe(201);
    expectProblem(await shopper.pay(order, { key, headers: NOBODY }), 'unauthenticated');
  });
});

describe('how often comes before', () => {
  it.each(BAD_BODIES)('a body that is %s', async (_name, _code, { headers, body }) => {
    const limited = await useUpLimit();
    const reply = await limited.shopper.pay(limited.order, { key: randomUUID(), headers, body });
    expectProblem(reply, 'rate_limited');
  });

  it('a missing key, an unknown order and a replay', async () => {
    const { shopper, order, key } = await useUpLimit();
    const path = `/api/orders/${order.id}/payments`;
    expectProblem(await shopper.send('POST', path, { body: balancePayment(order) }), 'rate_limited');
    expectProblem(await shopper.pay(unknownOrder(order), { key: randomUUID() }), 'rate_limited');
    expectProblem(await shopper.pay(order, { key }), 'rate_limited');
  });

  it('but not before who asks', async () => {
    const { shopper, order } = await useUpLimit();
    expectProblem(await shopper.pay(order, { key: 'k', headers: NOBODY }), 'unauthenticated');
  });
});

const LIMIT = 5;
let limitedUrl: Promise<string> | undefined;

/** A sandbox that has paid an order and may send nothing more for the moment. */
async function useUpLimit(): Promise<{ shopper: Shopper; order: Order; key: string }> {
  limitedUrl ??= shop.startApi({ SANDBOX_REQUESTS_MAX: String(LIMIT) }).then(({ url }) => url);
  const shopper = await shop.newShopper(await limitedUrl);
  const key = randomUUID();
  const order = await shopper.order();
  expect((await shopper.pay(order, { key })).status).toBe(201);
  for (let sent = 2; sent < LIMIT; sent++) await shopper.summary();
  return { shopper, order, key };
}

describe('the body comes before', () => {
  it.each(BAD_BODIES)(
    'a key that is missing or malformed, when it is %s',
    async (_name, code, { headers, body }) => {
      const { shopper, order } = await shopperWithOrder();
      const path = `/api/orders/${order.id}/payments`;
      expectProblem(await shopper.send('POST', path, { headers, body }), code);
      expectProblem(await shopper.send('POST', path, { headers: { ...headers, ...TWO_KEYS }, body }), code);
    },
  );

  it('an order that is not there', async () => {
    const { shopper, order } = await shopperWithOrder();
    const reply = await shopper.pay(unknownOrder(order), { key: 'k', body: {} });
    expectProblem(reply, 'request_invalid');
  });
});

describe('the key comes before', () => {
  it('an order that is not there', async () => {
    const { shopper, order } = await shopperWithOrder();
    const path = `/api/orders/${randomUUID()}/payments`;
    const body = balancePayment(order);
    expectProblem(await shopper.send('POST', path, { body }), 'idempotency_key_missing');
    expectProblem(await shopper.send('POST', path, { body, headers: TWO_KEYS }), 'idempotency_key_invalid');
  });
});

describe('an order that is not there comes before', () => {
  it('a key that belongs to another command', async () => {
    const { shopper, order } = await shopperWithOrder();
    const key = randomUUID();
    await shopper.pay(order, { key });
    expectProblem(await shopper.pay(unknownOrder(order), { key }), 'not_found');
  });

  it('a key whose first request still runs', async () => {
    const { shopper, order } = await shopperWithOrder();
    const key = randomUUID();
    const reply = await whileRunning(shopper, order, key, () => shopper.pay(unknownOrder(order), { key }));
    expectProblem(reply, 'not_found');
  });
});

/** Asks while the payment of the order is in the middle of its work. */
async function whileRunning(
  shopper: Shopper,
  order: Order,
  key: string,
  ask: () => Promise<Reply>,
): Promise<Reply> {
  const held = shop.holdNextPayment();
  const owner = shopper.pay(order, { key });
  await held;
  const reply = await ask();
  shop.letGo();
  expect((await owner).status).toBe(201);
  return reply;
}

describe('a known key comes before', () => {
  it('an order that is being paid, when its first request still runs', async () => {
    const { shopper, order } = await shopperWithOrder();
    const key = randomUUID();
    const reply = await whileRunning(shopper, order, key, () => shopper.pay(order, { key }));
    expectProblem(reply, 'request_in_progress');
  });

  it('an order that is paid, when it is finished', async () => {
    const { shopper, order } = await shopperWithOrder();
    const key = randomUUID();
    const first = await shopper.pay(order, { key });
    expect((await shopper.pay(order, { key })).body).toEqual(first.body);
  });

  it('an order that was paid under another key since it was declined', async () => {
    const { shopper, order } = await shopperWithOrder();
    const key = randomUUID();
    await shopper.setBalance(0);
    const declined = await shopper.pay(order, { key });
    await shopper.setBalance(order.amountMinor);
    expect((await shopper.pay(order, { key: randomUUID() })).status).toBe(201);
    expect((await shopper.pay(order, { key })).body).toEqual(declined.body);
  });

  it('an order that is paid and an amount that is wrong, when it belongs to another command', async () => {
    const { shopper, order } = await shopperWithOrder();
    const key = randomUUID();
    await shopper.pay(await shopper.order(), { key });
    await shopper.pay(order, { key: randomUUID() });
    const body = { ...balancePayment(order), amountMinor: 1 };
    expectProblem(await shopper.pay(order, { key, body }), 'idempotency_key_reused');
  });
});

describe('an order that is paid comes before', () => {
  it('an amount that is wrong and a balance that is not enough', async () => {
    const { shopper, order } = await shopperWithOrder();
    await shopper.pay(order, { key: randomUUID() });
    await shopper.setBalance(0);
    const body = { ...balancePayment(order), amountMinor: 1 };
    expectProblem(await shopper.pay(order, { key: randomUUID(), body }), 'order_already_paid');
  });
});

describe('an order that is being paid comes before', () => {
  it('an amount that is wrong', async () => {
    const { shopper, order } = await shopperWithOrder();
    const body = { ...balancePayment(order), amountMinor: 1 };
    const reply = await whileRunning(shopper, order, randomUUID(), () =>
      shopper.pay(order, { key: randomUUID(), body }),
    );
    expectProblem(reply, 'order_being_paid');
  });
});

describe('an amount that is wrong comes before', () => {
  it('a balance that is not enough and seats that are gone', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order([{ concertId: CONCERT_OF_2_SEATS, quantity: 3 }]);
    await shopper.setBalance(0);
    const body = { ...balancePayment(order), amountMinor: 1 };
    expectProblem(await shopper.pay(order, { key: randomUUID(), body }), 'amount_mismatch');
    expect((await shop.recorded(shopper)).keys).toEqual([]);
  });
});
