import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArmedFault, CardNetwork } from './card-network-process.js';
import { until, useShop } from './shop.js';
import { useWorker } from './worker-process.js';

const shop = useShop();
let mailProvider: CardNetwork;

beforeAll(async () => {
  mailProvider = await CardNetwork.open();
});
afterAll(() => mailProvider.close());
useWorker(() => ({ databaseUrl: shop.databaseUrls.run, mailProviderUrl: mailProvider.url }));

const faults: ArmedFault['fault'][] = [
  'slow',
  'reply_lost',
  'request_lost',
  'applied_late',
  'error_before',
  'error_after',
  'bad_gateway',
  'malformed',
  'huge',
  'dripping',
  'redirect',
];

it.each(faults)(
  'A mail provider with the fault %s has one e-ticket and one message in the end',
  async (fault) => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const before = (await mailProvider.mails()).length;
    await mailProvider.arm({ fault, on: 'mails', times: 2 });
    expect((await shopper.pay(order, { key: randomUUID() })).status).toBe(201);
    const body = { name: 'Ayu', email: 'ayu@example.com', text: 'Is the hall open early?' };
    const headers = { 'idempotency-key': randomUUID() };
    expect((await shopper.send('POST', '/api/messages', { headers, body })).status).toBe(201);

    await until(async () => {
      const [row] = await shop.sql<{ isDone: boolean }>(
        `select bool_and(state = 'completed') as "isDone" from pgboss.job`,
      );
      return row?.isDone === true;
    });
    const mails = (await mailProvider.mails()).slice(before);
    expect(mails.map(({ to }) => to).sort()).toEqual([
      'contact@pay-once.invalid',
      `shopper@${shopper.sandboxId}.pay-once.invalid`,
    ]);
    expect((await shopper.show(order)).tickets).toHaveLength(1);
  },
);

it('A mail provider that is killed and comes back has one e-ticket for each order paid meanwhile', async () => {
  const shopper = await shop.newShopper();
  await mailProvider.kill();
  const orders = await Promise.all([shopper.order(), shopper.order()]);
  for (const order of orders) expect((await shopper.pay(order, { key: randomUUID() })).status).toBe(201);
  await until(async () => {
    const [row] = await shop.sql<{ count: number }>(
      `select count(*)::integer from pgboss.job where state = 'retry' and data ->> 'sandboxId' = $1`,
      [shopper.sandboxId],
    );
    return row?.count === 2;
  });
  expect((await shopper.summary()).tickets.count).toBe(0);
  await mailProvider.start();
  await until(async () => (await shopper.summary()).tickets.count === 2);
  const to = `shopper@${shopper.sandboxId}.pay-once.invalid`;
  expect((await mailProvider.mails()).filter((mail) => mail.to === to)).toHaveLength(2);
});
