import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { send } from './http-request.js';
import { until } from './shop.js';
import { balancePayment, cardPayment } from './shopper.js';

const shop = useCardShop();

async function scrape(): Promise<string[]> {
  const reply = await send(`${shop.url}/metrics`, { method: 'GET' });
  expect(reply.status).toBe(200);
  return reply.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** The value of the first sample whose line begins like this; undefined when there is none. */
async function metric(beginning: string): Promise<number | undefined> {
  const line = (await scrape()).find((candidate) => candidate.startsWith(beginning));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** Gauges are remembered for a second. */
const untilMetric = (beginning: string, value: number): Promise<void> =>
  until(async () => (await metric(beginning)) === value);

const READINGS = [
  'idempotency_oldest_unfinished_seconds',
  'payments_needing_a_person',
  'reconciliation_differences',
  'jobs_parked',
];

it('counts a payment that nobody can tell the outcome of, and whoever goes on with it', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const pay = () => shopper.pay(order, { key, body: cardPayment(order, 'card_reply_lost') });
  expect((await pay()).status).toBe(202);
  expect(await metric('idempotency_unfinished_total{operation="payments.create"}')).toBe(1);
  expect(await metric('idempotency_taken_over_total{')).toBeUndefined();
  expect((await pay()).status).toBe(201);
  expect(await metric('idempotency_taken_over_total{operation="payments.create"}')).toBe(1);
  expect(await metric('idempotency_unfinished_total{operation="payments.create"}')).toBe(1);
});

it('counts a COMMIT whose answer was lost', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const committed = shop.wire.keepNextReply(/^commit/i);
  const unanswered = shopper.pay(order, { key: randomUUID() });
  await committed;
  await shop.wire.remove();
  await shop.wire.restore();
  expect((await unanswered).status).toBe(503);
  expect(await metric('idempotency_unknown_total{operation="payments.create"}')).toBe(1);
});

it('times each answer by its route, method and status', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const labels = 'method="POST",route="/api/orders/:orderId/payments"';
  const timed = (status: number) =>
    metric(`http_request_duration_seconds_count{${labels},status="${status}"}`);
  const before = (await timed(201)) ?? 0;
  await shopper.pay(order, { key: randomUUID(), body: { ...balancePayment(order), amountMinor: 1 } });
  await shopper.pay(order, { key: randomUUID() });
  expect(await timed(201)).toBe(before + 1);
  expect(await timed(422)).toBe(1);
  expect(await metric(`http_request_duration_seconds_bucket{le="+Inf",${labels},status="422"}`)).toBe(1);
  expect(await metric(`http_request_duration_seconds_sum{${labels},status="422"}`)).toBeGreaterThan(0);
});

it('tells how many payments and refunds need a person, and how many jobs are parked', async () => {
  const shopper = await shop.newShopper();
  await shopper.pay(await shopper.order(), { key: randomUUID() });
  await untilMetric('payments_needing_a_person', 0);
  await untilMetric('jobs_parked', 0);
  const sandbox = [shopper.sandboxId];
  await shop.sql(
    `update payments set status = 'needs_review', review_reason = 'a test' where sandbox_id = $1`,
    sandbox,
  );
  await shop.sql(
    `insert into refunds (id, sandbox_id, payment_id, status, amount_minor, currency, review_reason)
     select gen_random_uuid(), sandbox_id, id, 'needs_review', 1, currency, 'a test'
       from payments where sandbox_id = $1`,
    sandbox,
  );
  await shop.sql(`update pgboss.job set state = 'failed' where data ->> 'sandboxId' = $1`, sandbox);
  await untilMetric('payments_needing_a_person', 2);
  await untilMetric('jobs_parked', 1);
});

it('has no label that holds a key, a name, a card or anything else that was sent', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  await shopper.pay(order, { key, body: cardPayment(order, 'card_declined') });
  const message = { name: 'Zebulon', email: 'zebulon@example.com', text: 'Quetzalcoatl' };
  await shopper.send('POST', '/api/messages', {
    headers: { 'idempotency-key': randomUUID() },
    body: message,
  });
  await shopper.send('GET', '/api/orders/4111111111111111?card=4111111111111111');
  await send(`${shop.url}/card_declined/4111111111111111`, { method: 'GET' });

  const samples = await scrape();
  const { sandboxId, token } = shopper;
  for (const secret of [
    ...[key, sandboxId, token, order.id, 'card_declined', '4111111111111111'],
    ...Object.values(message),
  ]) {
    expect(samples.filter((sample) => sample.includes(secret))).toEqual([]);
  }
  const own = samples.filter((sample) => /^(idempotency_|http_)/.test(sample)).join('\n');
  const labels = new Set([...own.matchAll(/(\w+)="/g)].map(([, label]) => label));
  expect([...labels].sort()).toEqual(['le', 'method', 'operation', 'route', 'status']);
});

it('asks the database once for scrapes that come together', async () => {
  // None of an earlier scrape is remembered any more when one is held.
  const held = shop.wire.holdNext(/payments_needing_a_person/);
  const first: Promise<string[]>[] = [];
  let isHeld = false;
  void held.then(() => {
    isHeld = true;
  });
  shop.wire.cutAt(Number.POSITIVE_INFINITY, 'request');
  await until(async () => {
    if (!isHeld) first.push(scrape());
    await Promise.race([held, ...first.slice(-1)]);
    return isHeld;
  });
  const others = [scrape(), scrape(), scrape()];
  shop.letGo();
  await Promise.all([...first, ...others]);
  expect(
    shop.wire.mend().statements.filter((statement) => statement.includes('from reconciliation_differences')),
  ).toHaveLength(1);
});

it.each(['gone', 'silent'])(
  'gives its counters while the database is %s, and leaves out what it cannot know',
  async (how) => {
    await untilMetric('reconciliation_differences', 0);
    if (how === 'gone') await shop.wire.remove();
    else shop.wire.fallSilent();
    try {
      await until(async () => (await metric('reconciliation_differences')) === undefined);
      const samples = await scrape();
      for (const reading of READINGS) {
        expect(samples.filter((sample) => sample.startsWith(reading))).toEqual([]);
      }
      expect(samples.some((sample) => sample.startsWith('idempotency_claimed_total{'))).toBe(true);
      expect(samples.some((sample) => sample.startsWith('http_request_duration_seconds_count{'))).toBe(true);
    } finally {
      if (how === 'gone') await shop.wire.restore();
      else shop.wire.speak();
    }
    await untilMetric('reconciliation_differences', 0);
  },
);
