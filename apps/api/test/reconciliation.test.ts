import { randomUUID } from 'node:crypto';
import { type Payment, paymentSchema, type Refund, refundSchema } from '@pay-once/contracts';
import { Client } from 'pg';
import { afterEach, expect, it } from 'vitest';
import { useCardShop } from './card-shop.js';
import { send } from './http-request.js';
import { databaseUrls } from './postgres-cluster.js';
import { until } from './shop.js';
import { cardPayment } from './shopper.js';

const shop = useCardShop();

async function paid(): Promise<Payment> {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const body = cardPayment(order, 'card_visa_approved');
  return paymentSchema.parse(JSON.parse((await shopper.pay(order, { key: randomUUID(), body })).text));
}

async function refunded(): Promise<Refund> {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const { text } = await shopper.pay(order, { key, body: cardPayment(order, 'card_visa_approved') });
  const { id, amountMinor } = paymentSchema.parse(JSON.parse(text));
  const headers = { 'idempotency-key': randomUUID() };
  const reply = await shopper.send('POST', `/api/payments/${id}/refunds`, { headers, body: { amountMinor } });
  return refundSchema.parse(JSON.parse(reply.text));
}

const authorise = (reference: string, key: string, { amountMinor, currency }: Payment) =>
  fetch(`${shop.network.url}/authorisations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ reference, card: 'card_visa_approved', amountMinor, currency }),
  });

/** Changes the network's record behind its back, which its trigger and its role forbid. */
async function inNetwork(sql: string, values: unknown[]): Promise<object[]> {
  const client = new Client({ connectionString: databaseUrls(shop.network.databaseName).owner });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

const putBack = (operations: object[]) =>
  inNetwork(
    'insert into operations overriding system value select * from json_populate_recordset(null::operations, $1)',
    [JSON.stringify(operations)],
  );

// Whatever a test made differ, it leaves as it was: the file as a whole has no difference.
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

it('finds nothing while everything is as it should be', async () => {
  await paid();
  expect(await shop.reconcile()).toEqual([]);
});

it('finds what the network did and we know nothing of', async () => {
  const reference = randomUUID();
  await authorise(reference, randomUUID(), await paid());
  undo.push(() => inNetwork('delete from operations where reference = $1', [reference]));
  expect(await shop.reconcile()).toEqual([
    expect.stringMatching(`^${reference}  unknown to us  ours: nothing`),
  ]);
});

it('finds what the network did twice', async () => {
  const payment = await paid();
  await authorise(payment.id, randomUUID(), payment);
  undo.push(() =>
    inNetwork(
      'delete from operations where sequence = (select max(sequence) from operations where reference = $1)',
      [payment.id],
    ),
  );
  expect(await shop.reconcile()).toEqual([expect.stringMatching(`^${payment.id}  done more than once`)]);
});

it('finds what we hold as paid and the network knows nothing of, or knows as something else', async () => {
  const [absent, declined, smaller] = [await paid(), await paid(), await paid()];
  const lost = await inNetwork('delete from operations where reference = $1 returning *', [absent.id]);
  await inNetwork(`update operations set status = 'declined' where reference = $1`, [declined.id]);
  await inNetwork('update operations set amount_minor = 1 where reference = $1', [smaller.id]);
  undo.push(
    () => putBack(lost),
    () => inNetwork(`update operations set status = 'approved' where reference = $1`, [declined.id]),
    () =>
      inNetwork('update operations set amount_minor = $2 where reference = $1', [
        smaller.id,
        smaller.amountMinor,
      ]),
  );

  const lines = await shop.reconcile();
  expect(lines).toHaveLength(3);
  expect(lines).toContainEqual(
    expect.stringMatching(`^${absent.id}  unknown to the card network  .*theirs: nothing`),
  );
  expect(lines).toContainEqual(expect.stringMatching(`^${declined.id}  another status`));
  expect(lines).toContainEqual(expect.stringMatching(`^${smaller.id}  another amount`));
});

it.each(['approved', 'declined'])(
  'finds what needs a person while the network says that it was %s, and nothing while it knows of nothing',
  async (status) => {
    const [known, unknown] = [await paid(), await paid()];
    const setStatus = (to: string, reason: string | null) =>
      shop.sql('update payments set status = $2, review_reason = $3 where id = any($1)', [
        [known.id, unknown.id],
        to,
        reason,
      ]);
    await setStatus('needs_review', 'a test');
    const lost = await inNetwork('delete from operations where reference = $1 returning *', [unknown.id]);
    await inNetwork('update operations set status = $2 where reference = $1', [known.id, status]);
    undo.push(
      () => inNetwork(`update operations set status = 'approved' where reference = $1`, [known.id]),
      () => putBack(lost),
      () => setStatus('succeeded', null),
    );
    expect(await shop.reconcile()).toEqual([
      expect.stringMatching(`^${known.id}  another status  .*needs_review.*theirs: .*${status}`),
    ]);
  },
);

it('finds a refund that needs a person while the network says how it ended', async () => {
  const refund = await refunded();
  const set = (status: string, reason: string | null) =>
    shop.sql('update refunds set status = $2, review_reason = $3 where id = $1', [refund.id, status, reason]);
  await set('needs_review', 'a test');
  undo.push(() => set('succeeded', null));
  expect(await shop.reconcile()).toEqual([expect.stringMatching(`^${refund.id}  another status`)]);
});

it('finds a refund that the network holds as one of another payment, or as no refund', async () => {
  const [refund, other] = [await refunded(), await paid()];
  const set = (kind: string, authorisation: string | null) =>
    inNetwork('update operations set kind = $2, authorisation = $3 where reference = $1', [
      refund.id,
      kind,
      authorisation,
    ]);
  undo.push(() => set('refund', refund.paymentId));
  await set('refund', other.id);
  expect(await shop.reconcile()).toEqual([expect.stringMatching(`^${refund.id}  another authorisation`)]);
  await set('authorisation', null);
  const lines = await shop.reconcile();
  expect(lines.map((line) => line.split('  ')[1]).sort()).toEqual(['another authorisation', 'another kind']);
});

it('a worker keeps a row and a count of what differs, writes a line once for each text, and forgets what is settled', async () => {
  const worker = await shop.startWorker({ env: { RECONCILIATION_PAUSE_MS: '100' } });
  const reference = randomUUID();
  await authorise(reference, randomUUID(), await paid());
  const rows = () =>
    shop.sql('select difference from reconciliation_differences where reference = $1', [reference]);
  const counted = async () =>
    /^reconciliation_differences (\d+)$/m.exec(
      (await send(`${shop.url}/metrics`, { method: 'GET' })).text,
    )?.[1];
  await until(async () => (await rows()).length === 1);
  await until(async () => (await counted()) === '1');

  await inNetwork('update operations set amount_minor = 7 where reference = $1', [reference]);
  const theirs = () =>
    shop.sql('select theirs from reconciliation_differences where reference = $1', [reference]);
  await until(async () => JSON.stringify(await theirs()).includes('approved 7 IDR'));

  await inNetwork('delete from operations where reference = $1', [reference]);
  await until(async () => (await rows()).length === 0);
  await until(async () => (await counted()) === '0');
  await until(async () => worker.output().split(reference).length >= 3);
  expect(worker.output().split(reference)).toHaveLength(3);
  expect(worker.output()).toContain('approved 7 IDR');
});
