import { randomUUID } from 'node:crypto';
import type { Order, TestCard } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { cardPayment, type Shopper } from './shopper.js';

// The one payment that is charged twice, in the last test.
const shop = useCardShop({ differences: ['done more than once'] });

/** As if everything of this shopper's payment had happened that long ago. */
async function age({ sandboxId }: Shopper, interval: string): Promise<void> {
  await shop.sql('update payments set created_at = created_at - $2::interval where sandbox_id = $1', [
    sandboxId,
    interval,
  ]);
  await shop.sql(
    `update idempotency_records set created_at = created_at - $2::interval,
            lease_expires_at = lease_expires_at - $2::interval where tenant_id = $1::text`,
    [sandboxId, interval],
  );
}

describe('a payment that is still open after the network has forgotten its key', () => {
  it('is looked up, never sent again, and settled by what is found', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
    expect((await pay()).status).toBe(202);
    await age(shopper, '24 hours');
    await shop.network.forgetKeys();

    expect((await pay()).status).toBe(201);
    await shop.expectPaidOnceByCard(shopper);
  });

  it('stays open while nothing is found, and goes to a person in the end, without being sent again', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_request_lost') });
    expect((await pay()).status).toBe(202);
    await age(shopper, '24 hours');
    const open = await pay();
    expect(open.status).toBe(202);
    expect(JSON.parse(open.text).status).toBe('processing');

    await age(shopper, '1 hour');
    const handedOver = await pay();
    expect(handedOver.status).toBe(202);
    expect(JSON.parse(handedOver.text).status).toBe('needs_review');
    expect((await pay()).headers['idempotent-replayed']).toBe('true');
    expect(await shop.operationsOf(shopper)).toEqual([]);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, ordersPaid: 0 });
    expect((await shopper.show(order)).status).toBe('paying');
  });

  it('is found late, when look-ups did not know of it for a while', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
    expect((await pay()).status).toBe(202);
    await age(shopper, '24 hours');
    await shop.network.arm({ fault: 'lookup_unknown', on: 'operations', delayMs: 60_000 });
    expect((await pay()).status).toBe(202);
    await shop.network.disarm();
    expect((await pay()).status).toBe(201);
    await shop.expectPaidOnceByCard(shopper);
  });
});

it('a key that is used again after its retention pays another order by card, and the same one after a decline', async () => {
  const shopper = await shop.newShopper();
  const [first, second] = [await shopper.order(), await shopper.order()];
  const key = randomUUID();
  const forget = () =>
    shop.sql(`update idempotency_records set expires_at = clock_timestamp() where tenant_id = $1::text`, [
      shopper.sandboxId,
    ]);
  const pay = (order: Order, card: TestCard) => shopper.pay(order, { key, body: cardPayment(order, card) });

  expect((await pay(first, 'card_declined')).status).toBe(402);
  await forget();
  expect((await pay(first, 'card_visa_approved')).status).toBe(201);
  await forget();
  const unknown = await pay(second, 'card_reply_lost');
  expect(unknown.status).toBe(202);
  expect(JSON.parse(unknown.text).orderId).toBe(second.id);
  expect((await pay(second, 'card_reply_lost')).status).toBe(201);
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 2, ordersPaid: 2 });
});

it('a network that forgot its keys sooner than it said is looked up first, and charges once', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
  await pay();
  await shop.network.kill();
  await shop.network.start();
  await shop.network.forgetKeys();
  expect((await pay()).status).toBe(201);
  await shop.expectPaidOnceByCard(shopper);
});

it('a look-up that fails sends nothing', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
  await pay();
  await shop.network.forgetKeys();
  for (const fault of ['error_before', 'request_lost', 'malformed'] as const) {
    await shop.network.arm({ fault, on: 'operations' });
    expect((await pay()).status).toBe(202);
  }
  expect((await pay()).status).toBe(201);
  await shop.expectPaidOnceByCard(shopper);
});

it('a network that has forgotten a key, and does not find what it did, is the one thing that can charge twice', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
  expect((await pay()).status).toBe(202);
  await shop.network.forgetKeys();
  await shop.network.arm({ fault: 'lookup_unknown', on: 'operations' });
  expect((await pay()).status).toBe(201);

  // Our books have one charge; only the comparison of the two records shows the other.
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, ordersPaid: 1 });
  expect((await shop.operationsOf(shopper)).map(({ status }) => status)).toEqual(['approved', 'approved']);
});
