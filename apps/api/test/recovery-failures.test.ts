import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { until } from './shop.js';
import { cardPayment } from './shopper.js';

const shop = useCardShop();

it('An operation that cannot be gone on with is logged with its id and its reason, once a pause, and holds up no other', async () => {
  const key = `secret-key-${randomUUID()}`;
  const operationId = randomUUID();
  await shop.sql(
    `insert into idempotency_records
       (tenant_id, key, operation, operation_id, fingerprint, lease_expires_at, created_at)
     values ('nobody', $1, 'payments.create', $2, sha256(''), clock_timestamp() - interval '1 minute',
             clock_timestamp() - interval '2 minutes')`,
    [key, operationId],
  );
  const worker = await shop.startWorker();
  // More than one recovery takes over at once.
  const shopper = await shop.newShopper();
  for (let payments = 1; payments <= 12; payments++) {
    const order = await shopper.order();
    const body = cardPayment(order, 'card_reply_lost');
    expect((await shopper.pay(order, { key: randomUUID(), body })).status).toBe(202);
  }
  await until(async () => (await shop.recorded(shopper)).charges === 12, 60_000);
  await until(async () => worker.output().includes(operationId));

  const lines = worker
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  // The record is a minute old and more: the next look comes half a minute later.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { operationId, reason: expect.stringContaining('has made no payment') },
  ]);
  expect(worker.output()).not.toContain(key);
  await shop.sql(`delete from idempotency_records where tenant_id = 'nobody'`);
});
