import { randomUUID } from 'node:crypto';
import type { Order } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import type { ApiProcess } from './api-process.js';
import { useCardShop } from './card-shop.js';
import { expectProblem } from './expect-problem.js';
import { until } from './shop.js';
import { cardPayment, type Shopper } from './shopper.js';

/** Owners fall silent here, so nobody waits long for them. */
const SHORT_LEASE = { LEASE_MS: '2000' };
const shop = useCardShop({ shop: SHORT_LEASE });

const BEGINS = /^insert into idempotency_records/i;
const ASKS = /from payments where operation_id/i;
const SETTLES = /epoch = \$6 and state = 'in_progress'\s+for no key update/i;
const COMPLETES = /set state = 'completed'/i;
const COMMITS = /^commit/i;

interface Crash {
  api: ApiProcess;
  shopper: Shopper;
  order: Order;
  key: string;
}

/** Kills an API that is about to send this statement for a payment by card, and cuts it off from the database. */
async function killBefore(statement: RegExp): Promise<Crash> {
  const api = await shop.startApi();
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  const key = randomUUID();
  const reached = shop.wire.holdNext(statement);
  const lost = shopper
    .pay(order, { key, body: cardPayment(order, 'card_visa_approved') })
    .catch(() => 'lost');
  await reached;
  await api.kill();
  expect(await lost).toBe('lost');
  return { api, shopper: shopper.at(shop.url), order, key };
}

describe.each([
  { moment: 'before its first commit', statement: BEGINS, seen: { payments: [] }, asked: 0 },
  { moment: 'before it asked the network', statement: ASKS, seen: { payments: ['processing'] }, asked: 0 },
  { moment: 'after the network had acted', statement: SETTLES, seen: { payments: ['processing'] }, asked: 1 },
  { moment: 'before its second commit', statement: COMPLETES, seen: { payments: ['processing'] }, asked: 1 },
])('an API that is killed $moment', ({ statement, seen, asked }) => {
  it('is gone on with by the same key, and one authorisation is made', async () => {
    const { shopper, order, key } = await killBefore(statement);
    expect(await shop.recorded(shopper)).toMatchObject({ ...seen, charges: 0, ordersPaid: 0 });
    expect(await shop.operationsOf(shopper)).toHaveLength(asked);

    const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_visa_approved') });
    let reply = await pay();
    await until(async () => {
      // Until the lease is over, and Postgres has noticed that its client is gone.
      if (reply.status === 409) reply = await pay();
      return reply.status !== 409;
    });
    expect(reply.status).toBe(201);
    await shop.expectPaidOnceByCard(shopper);
  });

  it('is gone on with by a worker, and one authorisation is made', async () => {
    const { shopper, order, key } = await killBefore(statement);
    await shop.startWorker({ env: SHORT_LEASE });
    if (seen.payments.length === 0) {
      await shopper.pay(order, { key, body: cardPayment(order, 'card_visa_approved') });
    }
    await shop.untilPayment(shopper, 'succeeded');
    await shop.expectPaidOnceByCard(shopper);
    const replay = await shopper.pay(order, { key, body: cardPayment(order, 'card_visa_approved') });
    expect(replay.headers['idempotent-replayed']).toBe('true');
  });
});

it('an API that is killed between its second commit and its answer has settled, and the same key replays', async () => {
  const api = await shop.startApi();
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  const key = randomUUID();
  const body = cardPayment(order, 'card_visa_approved');
  const completing = shop.wire.holdNext(COMPLETES);
  const lost = shopper.pay(order, { key, body }).catch(() => 'lost');
  await completing;
  const committed = shop.wire.keepNextReply(COMMITS);
  shop.letGo();
  await committed;
  await api.kill();
  expect(await lost).toBe('lost');
  await shop.expectPaidOnceByCard(shopper);

  const replay = await shopper.at(shop.url).pay(order, { key, body });
  expect(replay.status).toBe(201);
  expect(replay.headers['idempotent-replayed']).toBe('true');
  await shop.expectPaidOnceByCard(shopper);
});

it('an owner that is stopped past its lease and wakes up changes nothing', async () => {
  const api = await shop.startApi();
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  const body = cardPayment(order, 'card_visa_approved');
  const reached = shop.wire.holdNext(SETTLES);
  const paused = shopper.pay(order, { key: randomUUID(), body });
  await reached;
  api.process.kill('SIGSTOP');

  await shop.startWorker({ env: SHORT_LEASE });
  await shop.untilPayment(shopper, 'succeeded');
  const settled = await shop.recorded(shopper);
  shop.letGo();
  api.process.kill('SIGCONT');

  const reply = await paused;
  expect(reply.status).toBe(201);
  expect(reply.headers['idempotent-replayed']).toBe('true');
  expect(await shop.recorded(shopper)).toEqual(settled);
  await shop.expectPaidOnceByCard(shopper);
});

it('a card network that is down takes nothing, and the payment is made once when it is back', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const body = cardPayment(order, 'card_visa_approved');
  await shop.network.kill();
  expect((await shopper.pay(order, { key, body })).status).toBe(202);
  expectProblem(await shopper.pay(order, { key: randomUUID(), body }), 'order_being_paid');
  await shop.startWorker({ env: SHORT_LEASE });
  await shop.network.start();
  await shop.untilPayment(shopper, 'succeeded');
  await shop.expectPaidOnceByCard(shopper);
});

it('a card network that is killed while it is asked, and started again, has authorised once in the end', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  await shop.network.arm({ fault: 'slow', on: 'authorisations', delayMs: 60_000 });
  const paying = shopper.pay(order, { key: randomUUID(), body: cardPayment(order, 'card_visa_approved') });
  await until(async () => (await shop.operationsOf(shopper)).length === 1);
  await shop.network.kill();
  expect((await paying).status).toBe(202);
  await shop.network.start();
  await shop.startWorker({ env: SHORT_LEASE });
  await shop.untilPayment(shopper, 'succeeded');
  await shop.expectPaidOnceByCard(shopper);
});

it('two workers and three retries settle one unresolved payment once', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
  expect((await pay()).status).toBe(202);
  await shop.network.arm({ fault: 'slow', on: 'authorisations', times: 3, delayMs: 300 });
  const workers = [shop.startWorker({ env: SHORT_LEASE }), shop.startWorker({ env: SHORT_LEASE })];
  const replies = await Promise.all([pay(), pay(), pay()]);
  await Promise.all(workers);
  await shop.untilPayment(shopper, 'succeeded');
  for (const { status } of replies) expect([201, 202, 409]).toContain(status);
  await shop.expectPaidOnceByCard(shopper);
});
