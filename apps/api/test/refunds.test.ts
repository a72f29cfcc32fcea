import { randomUUID } from 'node:crypto';
import { AMOUNT_MINOR_MAX, type Order, type Payment, paymentSchema, refundSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { balancePayment, cardPayment, type Shopper } from './shopper.js';

const shop = useCardShop();

const WAYS = {
  balance: balancePayment,
  card: (order: Order) => cardPayment(order, 'card_visa_approved'),
};

async function paid(way: keyof typeof WAYS): Promise<{ shopper: Shopper; order: Order; payment: Payment }> {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const reply = await shopper.pay(order, { key: randomUUID(), body: WAYS[way](order) });
  return { shopper, order, payment: paymentSchema.parse(JSON.parse(reply.text)) };
}

function refund(
  shopper: Shopper,
  { id }: { id: string },
  amountMinor: unknown,
  key = randomUUID(),
): Promise<Reply> {
  const headers = { 'idempotency-key': key };
  return shopper.send('POST', `/api/payments/${id}/refunds`, { headers, body: { amountMinor } });
}

const refundsAtNetwork = async (): Promise<string[]> =>
  (await shop.network.operations()).filter(({ kind }) => kind === 'refund').map(({ reference }) => reference);

it('a balance that is too full for a refund is left as it is, and the same refund goes through once there is room', async () => {
  const { shopper, payment } = await paid('balance');
  await shopper.setBalance(AMOUNT_MINOR_MAX - payment.amountMinor + 1);
  const before = await shop.recorded(shopper);
  const key = randomUUID();
  expectProblem(await refund(shopper, payment, payment.amountMinor, key), 'request_invalid');
  expect(await shop.recorded(shopper)).toEqual(before);

  await shopper.setBalance(AMOUNT_MINOR_MAX - payment.amountMinor);
  expect((await refund(shopper, payment, payment.amountMinor, key)).status).toBe(201);
});

describe.each(['balance', 'card'] as const)('a payment by %s', (way) => {
  it('is given back in parts, each once, by the way it came', async () => {
    const { shopper, order, payment } = await paid(way);
    const before = await shop.recorded(shopper);
    const part = Math.floor(payment.amountMinor / 3);
    const key = randomUUID();

    const first = await refund(shopper, payment, part, key);
    expect(first.status).toBe(201);
    const made = refundSchema.parse(JSON.parse(first.text));
    expect(made).toMatchObject({ paymentId: payment.id, status: 'succeeded', amountMinor: part });
    expect(first.headers['location']).toBe(`/api/refunds/${made.id}`);
    const shown = await shopper.send('GET', `/api/refunds/${made.id}`);
    expect(shown.text).toBe(first.text);

    const again = await refund(shopper, payment, part, key);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect((await refund(shopper, payment, payment.amountMinor - part)).status).toBe(201);

    expect((await shopper.summary()).refunds).toEqual({ count: 2, amountMinor: payment.amountMinor });
    expect((await shopper.show(order)).refunds.map(({ amountMinor }) => amountMinor)).toEqual([
      part,
      payment.amountMinor - part,
    ]);
    const { balanceMinor, booksMinor } = await shop.recorded(shopper);
    expect(balanceMinor).toBe(before.balanceMinor + (way === 'balance' ? payment.amountMinor : 0));
    expect(booksMinor).toBe(balanceMinor);
    const atNetwork = (await refundsAtNetwork()).filter((reference) => reference === made.id);
    expect(atNetwork).toHaveLength(way === 'card' ? 1 : 0);
  });

  it('gives never more back than it took, however many refunds run at once', async () => {
    const { shopper, payment } = await paid(way);
    const part = Math.floor(payment.amountMinor / 3);
    const replies = await Promise.all(Array.from({ length: 12 }, () => refund(shopper, payment, part)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expectProblem(reply, 'refund_exceeds_payment');
    }
    expect((await shopper.summary()).refunds).toEqual({ count: 3, amountMinor: 3 * part });
  });

  it('is given back once by equal requests at once', async () => {
    const { shopper, payment } = await paid(way);
    const key = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => refund(shopper, payment, payment.amountMinor, key)),
    );
    for (const { status } of replies) expect([201, 409]).toContain(status);
    expect(
      replies.filter(({ headers, status }) => status === 201 && !headers['idempotent-replayed']),
    ).toHaveLength(1);
    expect((await shopper.summary()).refunds).toEqual({ count: 1, amountMinor: payment.amountMinor });
  });
});

it.each(['balance', 'card'] as const)(
  'two refunds by %s that were decided on one sight, whose keys differ, give back once',
  async (way) => {
    const { shopper, payment } = await paid(way);
    const path = `/api/payments/${payment.id}/refunds`;
    const decide = (refundedMinor: number, key = randomUUID()) =>
      shopper.send('POST', path, {
        headers: { 'idempotency-key': key },
        body: { amountMinor: 100, refundedMinor },
      });
    const replies = await Promise.all(Array.from({ length: 8 }, () => decide(0)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 201))
      expectProblem(reply, 'refund_conflict');
    const key = randomUUID();
    const next = await decide(100, key);
    expect(next.status).toBe(201);
    expect((await decide(100, key)).text).toBe(next.text);
    expectProblem(await decide(200, key), 'idempotency_key_reused');
    expect((await shopper.summary()).refunds).toEqual({ count: 2, amountMinor: 200 });
  },
);

it('a refund that the network refuses gives nothing back, and the amount can be refunded again', async () => {
  const { shopper, payment } = await paid('card');
  await shop.network.arm({ fault: 'decline', on: 'refunds' });
  expectProblem(await refund(shopper, payment, payment.amountMinor), 'card_declined');
  expect((await shopper.summary()).refunds.count).toBe(0);
  expect((await refund(shopper, payment, payment.amountMinor)).status).toBe(201);
});

it('a payment that took nothing gives nothing back', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  await shopper.pay(order, { key: randomUUID(), body: cardPayment(order, 'card_declined') });
  const { payments } = await shopper.show(order);
  const [declined] = payments;
  if (declined === undefined) throw new Error('The decline is not recorded.');
  expectProblem(await refund(shopper, declined, 1), 'refund_exceeds_payment');
});

it('a refund of a stranger’s payment and of none look the same', async () => {
  const { payment } = await paid('balance');
  const stranger = await shop.newShopper();
  const [theirs, none] = [
    await refund(stranger, payment, 1),
    await refund(stranger, { id: randomUUID() }, 1),
  ];
  const withoutId = ({ text }: Reply): object => ({ ...JSON.parse(text), requestId: '' });
  expectProblem(theirs, 'not_found');
  expect(withoutId(theirs)).toEqual(withoutId(none));
  expectProblem(await stranger.send('GET', `/api/refunds/${randomUUID()}`), 'not_found');
});

it('a refund is a keyed request like any other', async () => {
  const { shopper, payment } = await paid('balance');
  const path = `/api/payments/${payment.id}/refunds`;
  expectProblem(await shopper.send('POST', path, { body: { amountMinor: 1 } }), 'idempotency_key_missing');
  for (const amountMinor of [0, -1, 1.5, '1', null, 10 ** 13 + 1]) {
    expectProblem(await refund(shopper, payment, amountMinor), 'request_invalid');
  }
  for (const refundedMinor of [-1, 0.5, '0', null, 10 ** 13 + 1]) {
    const headers = { 'idempotency-key': randomUUID() };
    const reply = await shopper.send('POST', path, { headers, body: { amountMinor: 1, refundedMinor } });
    expectProblem(reply, 'request_invalid');
  }
  const key = randomUUID();
  await refund(shopper, payment, 1, key);
  expectProblem(await refund(shopper, payment, 2, key), 'idempotency_key_reused');
  expect((await shopper.summary()).refunds).toEqual({ count: 1, amountMinor: 1 });
});
