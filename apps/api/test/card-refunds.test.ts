import { randomUUID } from 'node:crypto';
import { type Payment, paymentSchema, refundSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import type { ApiProcess } from './api-process.js';
import type { ArmedFault } from './card-network-process.js';
import { useCardShop } from './card-shop.js';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { until } from './shop.js';
import { cardPayment, type Shopper } from './shopper.js';
import { useWorker } from './worker-process.js';

const shop = useCardShop({
  // Owners fall silent here, so nobody waits long for them; a good answer comes in time on a busy machine, too.
  shop: { CARD_NETWORK_TIMEOUT_MS: '4000', LEASE_MS: '5000' },
  network: { FAULT_DELAY_MS: '300' },
  // The two faults that give back something else than was asked.
  differences: ['another amount', 'another amount', 'another status', 'another status'],
});

interface Paid {
  shopper: Shopper;
  payment: Payment;
  /** Refunds all of it, under one key. */
  refund: (at?: string) => Promise<Reply>;
}

async function paidByCard(url = shop.url): Promise<Paid> {
  const shopper = await shop.newShopper(url);
  const order = await shopper.order();
  const body = cardPayment(order, 'card_visa_approved');
  const paid = await shopper.pay(order, { key: randomUUID(), body });
  const payment = paymentSchema.parse(JSON.parse(paid.text));
  return { shopper, payment, refund: refundOf(shopper, payment) };
}

function refundOf(shopper: Shopper, { id, amountMinor }: Payment): (at?: string) => Promise<Reply> {
  const headers = { 'idempotency-key': randomUUID() };
  return (at = shopper.url) =>
    shopper.at(at).send('POST', `/api/payments/${id}/refunds`, { headers, body: { amountMinor } });
}

/** The status of each refund of the payment, and what the network did for them. */
async function refundsOf({ id }: Payment): Promise<{ ours: string[]; network: string[] }> {
  const rows = await shop.sql<{ id: string; status: string }>(
    'select id, status from refunds where payment_id = $1 order by created_at',
    [id],
  );
  const ids = new Set(rows.map((row) => row.id));
  const operations = (await shop.network.operations()).filter(({ reference }) => ids.has(reference));
  return { ours: rows.map(({ status }) => status), network: operations.map(({ status }) => status) };
}

/** Asserts that all of it was given back once: in the books, and by the network's own record. */
async function expectGivenBackOnce({ shopper, payment }: Paid): Promise<void> {
  expect(await refundsOf(payment)).toEqual({ ours: ['succeeded'], network: ['approved'] });
  expect((await shopper.summary()).refunds).toEqual({ count: 1, amountMinor: payment.amountMinor });
}

/** How a refund ends that meets each fault: the first answer, the refund, and what the network did. */
const ENDS: Record<ArmedFault['fault'], [number, 'succeeded' | 'declined' | 'needs_review']> = {
  decline: [402, 'declined'],
  slow: [201, 'succeeded'],
  reply_lost: [202, 'succeeded'],
  request_lost: [202, 'succeeded'],
  applied_late: [202, 'succeeded'],
  error_before: [202, 'succeeded'],
  error_after: [202, 'succeeded'],
  bad_gateway: [202, 'succeeded'],
  malformed: [202, 'succeeded'],
  huge: [202, 'succeeded'],
  dripping: [202, 'succeeded'],
  redirect: [202, 'succeeded'],
  wrong_amount: [202, 'needs_review'],
  wrong_currency: [202, 'needs_review'],
  lookup_unknown: [202, 'succeeded'],
};

describe('with a worker that recovers,', () => {
  useWorker(() => shop.workerOptions());

  it.each(Object.keys(ENDS) as ArmedFault['fault'][])(
    'a refund that meets %s ends as it has to, once, whoever goes on with it',
    async (fault) => {
      const [firstStatus, end] = ENDS[fault];
      const paid = await paidByCard();
      const { shopper, payment, refund } = paid;
      await shop.network.arm({ fault, on: 'refunds' });
      const first = await refund();
      expect(first.status).toBe(firstStatus);
      // The recovery of a worker and retries of the client, all at once, as they come.
      for (const { status } of await Promise.all([refund(), refund(), refund()])) {
        expect([firstStatus, 201, 202, 409]).toContain(status);
      }
      await until(async () => (await refundsOf(payment)).ours.join() === end);

      const replay = await refund();
      expect(replay.headers['idempotent-replayed']).toBe('true');
      if (end === 'declined') expectProblem(replay, 'card_declined');
      else expect(refundSchema.parse(JSON.parse(replay.text)).status).toBe(end);
      if (end === 'succeeded') return expectGivenBackOnce(paid);

      const network = end === 'declined' ? ['declined'] : ['approved'];
      expect((await refundsOf(payment)).network).toEqual(network);
      expect((await shopper.summary()).refunds.count).toBe(0);
      // What was refused can be refunded again; what may have been given back stays set aside.
      const again = await refundOf(shopper, payment)();
      if (end === 'declined') expect(again.status).toBe(201);
      else expectProblem(again, 'refund_exceeds_payment');
    },
  );
});

it('a refund of which nothing is found goes to a person in the end, without being sent again', async () => {
  const { shopper, payment, refund } = await paidByCard();
  const age = async (interval: string): Promise<void> => {
    await shop.sql('update refunds set created_at = created_at - $2::interval where payment_id = $1', [
      payment.id,
      interval,
    ]);
    await shop.sql(
      `update idempotency_records set created_at = created_at - $2::interval,
              lease_expires_at = lease_expires_at - $2::interval where tenant_id = $1::text`,
      [shopper.sandboxId, interval],
    );
  };
  const statusOf = (reply: Reply): unknown => [reply.status, JSON.parse(reply.text).status];

  await shop.network.arm({ fault: 'request_lost', on: 'refunds' });
  expect(statusOf(await refund())).toEqual([202, 'processing']);
  await age('24 hours');
  expect(statusOf(await refund())).toEqual([202, 'processing']);
  await age('1 hour');
  const handedOver = await refund();
  expect(statusOf(handedOver)).toEqual([202, 'needs_review']);
  expect(handedOver.headers).not.toHaveProperty('retry-after');
  expect((await refund()).headers['idempotent-replayed']).toBe('true');

  expect(await refundsOf(payment)).toEqual({ ours: ['needs_review'], network: [] });
  expect((await shopper.summary()).refunds.count).toBe(0);
  expectProblem(await refundOf(shopper, payment)(), 'refund_exceeds_payment');
});

const ASKS = /from refunds where operation_id/i;
const SETTLES = /epoch = \$6 and state = 'in_progress'\s+for no key update/i;
const COMPLETES = /set state = 'completed'/i;

/** A refund that another API is about to send this statement for. */
async function stopBefore(
  statement: RegExp,
): Promise<Paid & { api: ApiProcess; sent: Promise<Reply | 'lost'> }> {
  const api = await shop.startApi();
  const paid = await paidByCard(api.url);
  const reached = shop.wire.holdNext(statement);
  const sent = paid.refund().catch(() => 'lost' as const);
  await reached;
  return { ...paid, api, sent };
}

it.each([
  ['before it asked the network', ASKS, []],
  ['after the network had acted', SETTLES, ['approved']],
  ['before its second commit', COMPLETES, ['approved']],
])(
  'an API that is killed %s leaves a refund that the same key ends, once',
  async (_when, statement, network) => {
    const { api, sent, ...paid } = await stopBefore(statement);
    await api.kill();
    expect(await sent).toBe('lost');
    expect(await refundsOf(paid.payment)).toEqual({ ours: ['processing'], network });

    let reply = await paid.refund(shop.url);
    await until(async () => {
      // Until the lease is over, and Postgres has noticed that its client is gone.
      if (reply.status === 409) reply = await paid.refund(shop.url);
      return reply.status !== 409;
    });
    expect(reply.status).toBe(201);
    await expectGivenBackOnce({ ...paid, shopper: paid.shopper.at(shop.url) });
  },
);

it('an owner of a refund that is stopped past its lease and wakes up changes nothing', async () => {
  const { api, sent, ...paid } = await stopBefore(SETTLES);
  api.process.kill('SIGSTOP');
  await until(async () => (await paid.refund(shop.url)).status === 201);
  shop.letGo();
  api.process.kill('SIGCONT');

  const reply = await sent;
  if (reply === 'lost') throw new Error('The owner has not answered.');
  expect(reply.status).toBe(201);
  expect(reply.headers['idempotent-replayed']).toBe('true');
  await expectGivenBackOnce({ ...paid, shopper: paid.shopper.at(shop.url) });
});
