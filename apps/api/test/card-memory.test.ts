import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { cardPayment, type Shopper } from './shopper.js';

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

it('a network that remembers for a shorter time than it is believed to is the one thing that can charge twice', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
  await pay();
  await shop.network.forgetKeys();
  expect((await pay()).status).toBe(201);
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 1 });
  // The witness shows it, and so does reconciliation: why CARD_NETWORK_MEMORY_MS has to be true.
  expect(await shop.operationsOf(shopper)).toHaveLength(2);
});
