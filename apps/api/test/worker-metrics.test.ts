import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { send } from './http-request.js';
import { until } from './shop.js';
import { cardPayment } from './shopper.js';

const shop = useCardShop();

it('A worker that is given a port counts what it sweeps and recovers, and says that it lives', async () => {
  const shopper = await shop.newShopper();
  expect((await shopper.pay(await shopper.order(), { key: randomUUID() })).status).toBe(201);
  await shop.sql('update idempotency_records set expires_at = clock_timestamp() where tenant_id = $1', [
    shopper.sandboxId,
  ]);
  const order = await shopper.order();
  const body = cardPayment(order, 'card_reply_lost');
  expect((await shopper.pay(order, { key: randomUUID(), body })).status).toBe(202);

  const worker = await shop.startWorker({ env: { METRICS_PORT: '0' } });
  const ask = (path: string, method = 'GET') => send(`${worker.url}${path}`, { method });
  const counts = [
    'idempotency_swept_total{operation="all"} 1',
    'idempotency_taken_over_total{operation="payments.create"} 1',
    'idempotency_completed_total{operation="payments.create"} 1',
    'idempotency_oldest_unfinished_seconds 0',
  ];
  await until(async () => {
    const lines = (await ask('/metrics')).text.split('\n');
    return counts.every((count) => lines.includes(count));
  });
  const alive = await ask('/healthz');
  expect([alive.status, alive.text]).toEqual([200, '{"status":"ok"}']);
  expect((await ask('/api/sandbox')).status).toBe(404);
  expect((await ask('/metrics', 'POST')).status).toBe(404);
});

it('A worker that is given none listens nowhere', async () => {
  const worker = await shop.startWorker();
  expect(worker.url).toBeUndefined();
});
