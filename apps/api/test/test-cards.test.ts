import { randomUUID } from 'node:crypto';
import { paymentSchema, TEST_CARDS, type TestCard } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { expectProblem } from './expect-problem.js';
import { until } from './shop.js';
import { cardPayment } from './shopper.js';
import { useWorker } from './worker-process.js';

const shop = useCardShop({
  network: { FAULT_DELAY_MS: '700' },
  // The two cards that take something else than was asked: a person has to look at both.
  differences: ['another amount', 'another amount', 'another status', 'another status'],
});

/** What the first answer is, and how the payment ends. */
const ENDS: Record<TestCard, [number, 'succeeded' | 'declined' | 'needs_review']> = {
  card_visa_approved: [201, 'succeeded'],
  card_declined: [402, 'declined'],
  card_slow: [201, 'succeeded'],
  card_reply_lost: [202, 'succeeded'],
  card_request_lost: [202, 'succeeded'],
  card_applied_late: [202, 'succeeded'],
  card_error_before: [202, 'succeeded'],
  card_error_after: [202, 'succeeded'],
  card_bad_gateway: [202, 'succeeded'],
  card_malformed: [202, 'succeeded'],
  card_huge: [202, 'succeeded'],
  card_dripping: [202, 'succeeded'],
  card_redirect: [202, 'succeeded'],
  card_wrong_amount: [202, 'needs_review'],
  card_wrong_currency: [202, 'needs_review'],
  card_lookup_unknown: [202, 'succeeded'],
};

/** What the shop and the network hold in the end. */
const RECORDED = {
  succeeded: { orderStatus: 'paid', charges: 1, network: ['approved'] },
  declined: { orderStatus: 'unpaid', charges: 0, network: ['declined'] },
  needs_review: { orderStatus: 'paying', charges: 0, network: ['approved'] },
};

describe('with a worker that recovers,', () => {
  useWorker(() => shop.workerOptions());

  it.each(TEST_CARDS)('%s ends as it has to, authorised once, whoever goes on with it', async (card) => {
    const [firstStatus, end] = ENDS[card];
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const pay = () => shopper.pay(order, { key, body: cardPayment(order, card) });

    const first = await pay();
    expect(first.status).toBe(firstStatus);
    // The recovery of a worker and retries of the client, all at once, as they come.
    const retries = await Promise.all([pay(), pay(), pay()]);
    for (const { status } of retries) expect([firstStatus, 201, 202, 409]).toContain(status);
    await until(async () => (await shop.recorded(shopper)).payments.join() === end);

    const { orderStatus, charges, network } = RECORDED[end];
    expect((await shopper.show(order)).status).toBe(orderStatus);
    expect((await shopper.summary()).charges.count).toBe(charges);
    expect((await shop.operationsOf(shopper)).map(({ status }) => status)).toEqual(network);

    // A ticket comes once for what was paid, by mail, and the provider is another part of the same outside world.
    const tickets = end === 'succeeded' ? 1 : 0;
    await until(async () => (await shopper.summary()).tickets.count === tickets);

    const replay = await pay();
    expect(replay.headers['idempotent-replayed']).toBe('true');
    if (end === 'declined') expectProblem(replay, 'card_declined');
    else expect(paymentSchema.parse(JSON.parse(replay.text)).status).toBe(end);
  });
});

it('a payment whose outcome is unknown is answered 202, with where to look and when to ask again', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const reply = await shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });

  expect(reply.status).toBe(202);
  const payment = paymentSchema.parse(JSON.parse(reply.text));
  expect(payment).toMatchObject({ status: 'processing', method: { type: 'card', card: 'card_reply_lost' } });
  expect(reply.headers['location']).toBe(`/api/payments/${payment.id}`);
  expect(reply.headers['retry-after']).toBe('2');
  expect(reply.headers['idempotency-expires']).toBeUndefined();
  expect((await shopper.show(order)).status).toBe('paying');

  const again = await shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
  expect(again.status).toBe(201);
  expect(again.headers['idempotent-replayed']).toBeUndefined();
  expect(again.headers['operation-id']).toBe(reply.headers['operation-id']);
  await shop.expectPaidOnceByCard(shopper);
});

it('a payment that is processing refuses another key, and a changed command under its key', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const body = cardPayment(order, 'card_reply_lost');
  await shopper.pay(order, { key, body });

  expectProblem(await shopper.pay(order, { key: randomUUID(), body }), 'order_being_paid');
  expectProblem(await shopper.pay(order, { key: randomUUID() }), 'order_being_paid');
  expectProblem(await shopper.pay(order, { key }), 'idempotency_key_reused');
  expect(await shop.operationsOf(shopper)).toHaveLength(1);
});

it('after a decline the seats are free, and another card under another key pays once', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const seatsLeft = async () =>
    (
      await shop.sql<{ left: number }>(
        'select sum(seats_left)::integer as left from concert_seats where sandbox_id = $1',
        [shopper.sandboxId],
      )
    )[0]?.left;
  const before = await seatsLeft();

  await shopper.pay(order, { key: randomUUID(), body: cardPayment(order, 'card_declined') });
  expect(await seatsLeft()).toBe(before);
  const reply = await shopper.pay(order, {
    key: randomUUID(),
    body: cardPayment(order, 'card_visa_approved'),
  });
  expect(reply.status).toBe(201);
  expect(await shop.recorded(shopper)).toMatchObject({ payments: ['declined', 'succeeded'], charges: 1 });
});

it('a card that is not a known name is refused, and not repeated in the answer', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const number = '4111111111111111';
  const body = { ...cardPayment(order, 'card_slow'), method: { type: 'card', card: number } };
  const reply = await shopper.pay(order, { key: randomUUID(), body });
  expectProblem(reply, 'request_invalid');
  expect(reply.text).not.toContain(number);
  expect((await shop.recorded(shopper)).keys).toEqual([]);
});
