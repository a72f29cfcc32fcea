import { randomUUID } from 'node:crypto';
import { paymentSchema } from '@pay-once/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { until, useShop } from './shop.js';
import { CONCERT_OF_300_SEATS, CONCERT_OF_500_SEATS, type Shopper } from './shopper.js';

const shop = useShop();
/** A second API process on the same database. */
let otherUrl: string;

beforeAll(async () => {
  ({ url: otherUrl } = await shop.startApi());
});

const OPENING_BALANCE = 1_000_000_000;

/** Asserts that of all these equal requests one paid, and that every other says so or says to wait. */
function expectOnePayment(replies: Reply[]): Reply {
  const first = replies.filter(({ status, headers }) => status === 201 && !headers['idempotent-replayed']);
  expect(first).toHaveLength(1);
  const [paid] = first as [Reply];
  for (const reply of replies) {
    if (reply.status === 201) expect(reply.body).toEqual(paid.body);
    else {
      expectProblem(reply, 'request_in_progress');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    }
  }
  return paid;
}

async function expectOneCharge(shopper: Shopper, amountMinor: number, key: string): Promise<void> {
  expect(await shop.recorded(shopper)).toEqual({
    balanceMinor: OPENING_BALANCE - amountMinor,
    booksMinor: OPENING_BALANCE - amountMinor,
    charges: 1,
    chargedMinor: amountMinor,
    payments: ['succeeded'],
    ordersPaid: 1,
    keys: [key],
  });
}

describe('equal requests at once', () => {
  it('take one payment out of 50', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 50 }, () => shopper.pay(order, { key })));
    expectOnePayment(replies);
    await expectOneCharge(shopper, order.amountMinor, key);
  });

  it('take one payment when they reach two API processes', async () => {
    const shopper = await shop.newShopper();
    const doors = [shopper, shopper.at(otherUrl)];
    const order = await shopper.order();
    const key = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => doors.map((door) => door.pay(order, { key }))).flat(),
    );
    expectOnePayment(replies);
    await expectOneCharge(shopper, order.amountMinor, key);
  });

  it('are told at once, while the first still runs, that it runs', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const held = shop.holdNextPayment();
    const owner = shopper.pay(order, { key });
    await held;
    const answer = shopper.pay(order, { key });
    expect(await shop.mostWaitingDuring(answer)).toBe(0);
    const duplicate = await answer;
    expectProblem(duplicate, 'request_in_progress');
    expect(duplicate.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(duplicate.headers).not.toHaveProperty('idempotency-expires');
    shop.letGo();

    const first = await owner;
    expect(first.status).toBe(201);
    expect(duplicate.headers['operation-id']).toBe(first.headers['operation-id']);
    await expectOneCharge(shopper, order.amountMinor, key);
  });
});

describe('the same request again', () => {
  it('gets the first answer byte for byte, with headers of its own attempt', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const first = await shopper.pay(order, { key });
    const again = await shopper.pay(order, { key });

    const payment = paymentSchema.parse(JSON.parse(first.text));
    expect(payment).toMatchObject({
      orderId: order.id,
      status: 'succeeded',
      amountMinor: order.amountMinor,
      currency: 'IDR',
      method: { type: 'balance' },
    });
    expect(first.status).toBe(201);
    expect(first.headers['location']).toBe(`/api/payments/${payment.id}`);
    expect(first.headers['operation-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');

    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    for (const header of ['content-type', 'location', 'idempotency-expires', 'operation-id']) {
      expect(again.headers[header], header).toBe(first.headers[header]);
    }
    expect(again.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    await expectOneCharge(shopper, order.amountMinor, key);
  });

  it('differs from the first answer only in the headers of its own attempt', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const first = await shopper.pay(order, { key });
    let again = first;
    // A second later it says another Date.
    await until(async () => {
      again = await shopper.pay(order, { key });
      return again.headers['date'] !== first.headers['date'];
    });
    const names = [...new Set([...Object.keys(first.headers), ...Object.keys(again.headers)])];
    const different = names.filter((name) => first.headers[name] !== again.headers[name]).sort();
    expect(different).toEqual(['date', 'idempotent-replayed', 'x-request-id']);
    expect(again.body).toEqual(first.body);
  });

  it('finds at its Location what it was told', async () => {
    const shopper = await shop.newShopper();
    const paid = await shopper.pay(await shopper.order(), { key: randomUUID() });
    const shown = await shopper.send('GET', String(paid.headers['location']));
    expect(shown.status).toBe(200);
    expect(JSON.parse(shown.text)).toEqual(JSON.parse(paid.text));
  });

  it('gets the first answer whatever has changed since', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order([{ concertId: CONCERT_OF_300_SEATS, quantity: 2 }]);
    const key = randomUUID();
    const first = await shopper.pay(order, { key });
    await shopper.setBalance(0);
    await shop.sql('update concerts set amount_minor = amount_minor + 1, title = $2 where id = $1', [
      CONCERT_OF_300_SEATS,
      'Another name',
    ]);
    await shop.sql('update concert_seats set seats_left = 0 where sandbox_id = $1', [shopper.sandboxId]);

    const again = await shopper.pay(order, { key });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect((await shop.recorded(shopper)).balanceMinor).toBe(0);
  });

  it('is answered from the record at every API process', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const first = await shopper.pay(order, { key });
    const again = await shopper.at(otherUrl).pay(order, { key });
    expect(again.body).toEqual(first.body);
    expect(again.headers['operation-id']).toBe(first.headers['operation-id']);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});

describe('the effects', () => {
  it('are shown by the order and counted by the summary', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order([{ concertId: CONCERT_OF_500_SEATS, quantity: 3 }]);
    expect(await shopper.summary()).toEqual({
      charges: { count: 0, amountMinor: 0 },
      refunds: { count: 0, amountMinor: 0 },
      tickets: { count: 0 },
    });
    const key = randomUUID();
    const payment = paymentSchema.parse(JSON.parse((await shopper.pay(order, { key })).text));
    await shopper.pay(order, { key });

    expect(await shopper.show(order)).toMatchObject({ status: 'paid', payments: [payment], refunds: [] });
    expect((await shopper.summary()).charges).toEqual({ count: 1, amountMinor: order.amountMinor });
  });

  it('are two for two keys on two equal orders', async () => {
    const shopper = await shop.newShopper();
    const orders = [await shopper.order(), await shopper.order()];
    const replies = await Promise.all(orders.map((order) => shopper.pay(order, { key: randomUUID() })));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect((await shop.recorded(shopper)).charges).toBe(2);
  });
});
