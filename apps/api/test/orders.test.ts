import { randomUUID } from 'node:crypto';
import { ordersSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import { CONCERT_OF_2_SEATS, CONCERT_OF_300_SEATS, CONCERT_OF_500_SEATS, type Shopper } from './shopper.js';

const shop = useShop();

const ONE_SEAT = [{ concertId: CONCERT_OF_500_SEATS, quantity: 1 }];
const TWO_SEATS = [{ concertId: CONCERT_OF_500_SEATS, quantity: 2 }];

function put(shopper: Shopper, orderId: string, items: unknown): Promise<Reply> {
  return shopper.send('PUT', `/api/orders/${orderId}`, { body: { items } });
}

/** A concert of this test's own, whose price it may change. */
async function newConcert(amountMinor: number): Promise<string> {
  const id = randomUUID();
  await shop.sql(
    `insert into concerts (id, title, venue, starts_at, amount_minor, currency, seats)
     values ($1, 'First title', 'Here', now(), $2, 'IDR', 100)`,
    [id, amountMinor],
  );
  return id;
}

describe('putting an order', () => {
  it('makes it the first time and finds it made the next time', async () => {
    const shopper = await shop.newShopper();
    const orderId = randomUUID();
    const first = await put(shopper, orderId, TWO_SEATS);
    expect(first.status).toBe(201);
    expect(first.headers['location']).toBe(`/api/orders/${orderId}`);
    expect(JSON.parse(first.text)).toMatchObject({
      id: orderId,
      status: 'unpaid',
      amountMinor: 70_000_000,
      currency: 'IDR',
      items: [{ ...TWO_SEATS[0], amountMinor: 35_000_000, currency: 'IDR' }],
      payments: [],
      refunds: [],
      tickets: [],
    });
    const again = await put(shopper, orderId, TWO_SEATS);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
  });

  it('finds it made whatever order the items and capitals the id are written in', async () => {
    const shopper = await shop.newShopper();
    const orderId = randomUUID();
    const items = [...ONE_SEAT, { concertId: CONCERT_OF_300_SEATS, quantity: 2 }];
    const first = await put(shopper, orderId, items);
    const again = await put(shopper, orderId.toUpperCase(), items.toReversed());
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });

  it.each([
    ['another quantity', TWO_SEATS],
    ['another concert', [{ concertId: CONCERT_OF_2_SEATS, quantity: 1 }]],
    ['one more item', [...ONE_SEAT, { concertId: CONCERT_OF_2_SEATS, quantity: 1 }]],
  ])('with %s than the first time is refused and changes nothing', async (_difference, items) => {
    const shopper = await shop.newShopper();
    const orderId = randomUUID();
    const first = await put(shopper, orderId, ONE_SEAT);
    expectProblem(await put(shopper, orderId, items), 'order_conflict');
    expect((await shopper.send('GET', `/api/orders/${orderId}`)).body).toEqual(first.body);
  });

  it('makes one order out of 20 equal requests at once', async () => {
    const shopper = await shop.newShopper();
    const orderId = randomUUID();
    const replies = await Promise.all(Array.from({ length: 20 }, () => put(shopper, orderId, ONE_SEAT)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  it('makes one of two orders that claim one id at once', async () => {
    const shopper = await shop.newShopper();
    const orderId = randomUUID();
    const wishes = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? ONE_SEAT : TWO_SEATS));
    const replies = await Promise.all(wishes.map((items) => put(shopper, orderId, items)));
    const made = replies.findIndex(({ status }) => status === 201);
    for (const [index, reply] of replies.entries()) {
      if (index === made) continue;
      if (wishes[index] === wishes[made]) expect(reply.status).toBe(200);
      else expectProblem(reply, 'order_conflict');
    }
    expect(JSON.parse(replies[made]?.text ?? '')).toMatchObject({ items: wishes[made] });
  });

  it('again after it was paid shows it paid', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order(ONE_SEAT);
    await shopper.pay(order, { key: randomUUID() });
    const again = await put(shopper, order.id, ONE_SEAT);
    expect(again.status).toBe(200);
    expect(JSON.parse(again.text)).toMatchObject({ status: 'paid', payments: [{ status: 'succeeded' }] });
    expectProblem(await put(shopper, order.id, TWO_SEATS), 'order_conflict');
  });
});

describe('an order', () => {
  it('keeps the titles and prices that it was made with', async () => {
    const concertId = await newConcert(1_000);
    const shopper = await shop.newShopper();
    const items = [{ concertId, quantity: 2 }];
    const orderId = randomUUID();
    const first = await put(shopper, orderId, items);
    await shop.sql(`update concerts set amount_minor = 5000, title = 'Second title' where id = $1`, [
      concertId,
    ]);

    expect((await shopper.send('GET', `/api/orders/${orderId}`)).body).toEqual(first.body);
    const again = await put(shopper, orderId, items);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);

    const order = await shopper.show({ ...JSON.parse(first.text), id: orderId });
    expect(order).toMatchObject({
      amountMinor: 2_000,
      items: [{ title: 'First title', amountMinor: 1_000 }],
    });
    expect((await shopper.pay(order, { key: randomUUID() })).status).toBe(201);
    expect((await shop.recorded(shopper)).chargedMinor).toBe(2_000);
  });

  it('can be put again even when it could not be made any more', async () => {
    const concertId = await newConcert(1_000);
    const shopper = await shop.newShopper();
    const items = [{ concertId, quantity: 2 }];
    const orderId = randomUUID();
    const first = await put(shopper, orderId, items);
    await shop.sql('update concerts set amount_minor = 10000000000000 where id = $1', [concertId]);
    expectProblem(await put(shopper, randomUUID(), items), 'request_invalid');
    const again = await put(shopper, orderId, items);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
  });

  it('is charged what the server says, not what the request says', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    for (const wrong of [
      { amountMinor: 1 },
      { amountMinor: order.amountMinor - 1 },
      { amountMinor: order.amountMinor / 100 },
      { amountMinor: 10 ** 13 },
      { currency: 'USD' },
    ]) {
      const body = { amountMinor: order.amountMinor, currency: 'IDR', method: { type: 'balance' }, ...wrong };
      expectProblem(await shopper.pay(order, { key: randomUUID(), body }), 'amount_mismatch');
    }
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });
  });

  it('is listed with its payments among all of the sandbox’s', async () => {
    const shopper = await shop.newShopper();
    const orders = [await shopper.order(ONE_SEAT), await shopper.order(TWO_SEATS)];
    const [paid] = orders;
    if (paid !== undefined) await shopper.pay(paid, { key: randomUUID() });
    const listed = ordersSchema.parse(JSON.parse((await shopper.send('GET', '/api/orders')).text)).orders;
    expect(listed.map(({ id }) => id).sort()).toEqual(orders.map(({ id }) => id).sort());
    for (const order of listed) expect(order).toEqual(await shopper.show(order));
    expect(listed.find(({ id }) => id === paid?.id)).toMatchObject({ payments: [{ status: 'succeeded' }] });
  });
});

describe('an order is refused', () => {
  const item = (change: object): object => ({ concertId: CONCERT_OF_500_SEATS, quantity: 1, ...change });

  it.each<[string, unknown]>([
    ['no items', []],
    ['items that are no list', item({})],
    ['nothing for items', null],
    ['no seats', [item({ quantity: 0 })]],
    ['fewer than no seats', [item({ quantity: -1 })]],
    ['11 seats', [item({ quantity: 11 })]],
    ['half a seat', [item({ quantity: 0.5 })]],
    ['seats as a text', [item({ quantity: '1' })]],
    ['more seats than a number holds', [item({ quantity: 2 ** 31 })]],
    ['one concert twice', [item({}), item({})]],
    [
      'one concert twice in two spellings',
      [item({}), item({ concertId: CONCERT_OF_500_SEATS.toUpperCase() })],
    ],
    ['an unknown concert', [item({ concertId: randomUUID() })]],
    ['something that is no concert id', [item({ concertId: "' or 1=1 --" })]],
    ['a price of its own', [item({ amountMinor: 1 })]],
    ['11 items', Array.from({ length: 11 }, () => item({ concertId: randomUUID() }))],
  ])('for %s, and nothing is made', async (_name, items) => {
    const shopper = await shop.newShopper();
    const orderId = randomUUID();
    expectProblem(await put(shopper, orderId, items), 'request_invalid');
    expectProblem(await shopper.send('GET', `/api/orders/${orderId}`), 'not_found');
  });

  it.each(['x', '0', 'null', `${randomUUID()}0`])('under the id %s', async (orderId) => {
    const shopper = await shop.newShopper();
    expectProblem(await put(shopper, orderId, ONE_SEAT), 'request_invalid');
  });

  it('with another member beside its items', async () => {
    const shopper = await shop.newShopper();
    for (const member of ['sandboxId', 'amountMinor', 'status']) {
      const body = { items: ONE_SEAT, [member]: 'paid' };
      const reply = await shopper.send('PUT', `/api/orders/${randomUUID()}`, { body });
      expectProblem(reply, 'request_invalid');
    }
  });
});
