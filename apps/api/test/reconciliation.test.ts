import { randomUUID } from 'node:crypto';
import { type Payment, paymentSchema } from '@pay-once/contracts';
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
    () =>
      inNetwork(
        'insert into operations overriding system value select * from json_populate_recordset(null::operations, $1)',
        [JSON.stringify(lost)],
      ),
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

it('a worker keeps a row and a count of what differs, writes a line once, and forgets what is settled', async () => {
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
  expect(await counted()).toBe('1');

  await inNetwork('delete from operations where reference = $1', [reference]);
  await until(async () => (await rows()).length === 0);
  expect(await counted()).toBe('0');
  await until(async () => worker.output().includes(reference));
  expect(worker.output().split(reference)).toHaveLength(2);
});
