import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { until } from './shop.js';
import { cardPayment } from './shopper.js';

/** The network takes as long as a lease lets it, and most of that comes after the signal. */
const PATIENT = { CARD_NETWORK_TIMEOUT_MS: '14000' };
const ANSWER_DELAY_MS = 11_500;
const shop = useCardShop();

it('An API that is to end while the card network is asked gives its client the answer first', async () => {
  const api = await shop.startApi(PATIENT);
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  await shop.network.arm({ fault: 'slow', on: 'authorisations', delayMs: ANSWER_DELAY_MS });
  const paying = shopper.pay(order, { key: randomUUID(), body: cardPayment(order, 'card_visa_approved') });
  await until(async () => (await shop.operationsOf(shopper)).length === 1);
  api.process.kill('SIGTERM');

  expect((await paying).status).toBe(201);
  expect(await api.ended).toBe(0);
  await shop.expectPaidOnceByCard(shopper);
});

it('A worker that is to end while it goes on with a payment settles it first, and takes up no other', async () => {
  const shopper = await shop.newShopper();
  const [first, second] = [await shopper.order(), await shopper.order()];
  const pay = async (order: typeof first): Promise<void> => {
    const body = cardPayment(order, 'card_reply_lost');
    expect((await shopper.pay(order, { key: randomUUID(), body })).status).toBe(202);
  };
  await pay(first);
  await shop.network.arm({ fault: 'slow', on: 'operations', delayMs: ANSWER_DELAY_MS });
  const worker = await shop.startWorker({ env: PATIENT });
  await until(async () => {
    const records = await shop.sql('select from idempotency_records where tenant_id = $1 and epoch = 2', [
      shopper.sandboxId,
    ]);
    return records.length === 1;
  });
  await pay(second);
  worker.process.kill('SIGTERM');

  expect(await worker.ended).toBe(0);
  expect((await shopper.show(first)).status).toBe('paid');
  expect((await shopper.show(second)).status).toBe('paying');
});
