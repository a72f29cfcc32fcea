import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { runProgram } from './api-process.js';
import { useMailProvider } from './mail-provider.js';
import { until, useShop } from './shop.js';
import type { Shopper } from './shopper.js';
import { startWorker } from './worker-process.js';

/** The provider is silent for longer than the test lasts. */
const PATIENT = { MAIL_TIMEOUT_MS: '100000', JOB_LEASE_SECONDS: '110' };

const shop = useShop();
const mailProvider = useMailProvider();

beforeAll(async () => {
  const { owner, run } = shop.databaseUrls;
  const migrated = runProgram('migrate.js', { MIGRATION_DATABASE_URL: owner, DATABASE_URL: run, ...PATIENT });
  expect(await migrated.ended, migrated.output()).toBe(0);
});

async function payOrder(): Promise<Shopper> {
  const shopper = await shop.newShopper();
  expect((await shopper.pay(await shopper.order(), { key: randomUUID() })).status).toBe(201);
  return shopper;
}

it('A mail that the provider says nothing about holds up no other of its queue', async () => {
  const slow = await payOrder();
  mailProvider.fail(({ to }) => to === `shopper@${slow.sandboxId}.pay-once.invalid`, 'silent');
  const others = [];
  for (let payments = 1; payments <= 12; payments++) others.push(await payOrder());
  await startWorker({
    databaseUrl: shop.databaseUrls.run,
    mailProviderUrl: mailProvider.url,
    env: PATIENT,
  });

  for (const other of others) await until(async () => (await other.summary()).tickets.count === 1, 60_000);
  const jobs = await shop.sql(`select state, retry_count from pgboss.job where data ->> 'sandboxId' = $1`, [
    slow.sandboxId,
  ]);
  expect(jobs).toEqual([{ state: 'active', retry_count: 0 }]);
});
