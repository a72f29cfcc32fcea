import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from './api-process.js';
import { useMailProvider } from './mail-provider.js';
import { until, useShop } from './shop.js';
import type { Shopper } from './shopper.js';
import { runJobsCommand, useWorker } from './worker-process.js';

const shop = useShop();
const mailProvider = useMailProvider();

const TRIES_MAX = 3;
const addressOf = ({ sandboxId }: Shopper): string => `shopper@${sandboxId}.pay-once.invalid`;

beforeAll(async () => {
  const { owner, run } = shop.databaseUrls;
  const env = { MIGRATION_DATABASE_URL: owner, DATABASE_URL: run, JOB_TRIES_MAX: String(TRIES_MAX) };
  const migrated = runProgram('migrate.js', env);
  expect(await migrated.ended, migrated.output()).toBe(0);
});

useWorker(() => ({ databaseUrl: shop.databaseUrls.run, mailProviderUrl: mailProvider.url }));

async function payOrder(shopper: Shopper): Promise<void> {
  expect((await shopper.pay(await shopper.order(), { key: randomUUID() })).status).toBe(201);
}

/** Pays an order whose mail the provider refuses `times` times. */
async function poison(shopper: Shopper, times: number): Promise<{ id: string; ticketId: string }> {
  mailProvider.fail(({ to }) => to === addressOf(shopper), ...Array(times).fill('refused'));
  await payOrder(shopper);
  const [job] = await shop.sql<{ id: string; ticketId: string }>(
    `select id, data ->> 'ticketId' as "ticketId" from pgboss.job where data ->> 'sandboxId' = $1`,
    [shopper.sandboxId],
  );
  if (job === undefined) throw new Error('The order has no job.');
  return job;
}

async function stateOf(jobId: string): Promise<string | undefined> {
  const [job] = await shop.sql<{ state: string }>('select state from pgboss.job where id = $1', [jobId]);
  return job?.state;
}

const issued = async (shopper: Shopper): Promise<boolean> => (await shopper.summary()).tickets.count === 1;

describe('a job that fails every time', () => {
  it('is parked after its tries, which come later and later, and holds up no others', async () => {
    const poisoned = await Promise.all(Array.from({ length: 6 }, () => shop.newShopper()));
    const jobs = await Promise.all(poisoned.map((shopper) => poison(shopper, TRIES_MAX)));
    const bystander = await shop.newShopper();
    await payOrder(bystander);
    await until(() => issued(bystander));
    for (const { id } of jobs) expect(await stateOf(id)).not.toBe('failed');

    for (const { id, ticketId } of jobs) {
      await until(async () => (await stateOf(id)) === 'failed');
      expect(mailProvider.asked.get(ticketId)).toBe(TRIES_MAX);
    }
    const late = await shop.newShopper();
    await payOrder(late);
    await until(() => issued(late));
  });

  it('is listed with its tries and its last error, and nothing of the order', async () => {
    const listed = (await runJobsCommand(shop.databaseUrls.run)).trim().split('\n');
    expect(listed).toHaveLength(6);
    for (const line of listed) {
      expect(line).toMatch(
        /^e-tickets {2}[0-9a-f-]{36} {2}3 tries {2}\d+ s old {2}The mail provider answered 500\.$/,
      );
    }
  });

  it('is tried again when somebody says so, one or all, and then has its one effect', async () => {
    const listed = (await runJobsCommand(shop.databaseUrls.run)).trim().split('\n');
    const [first = ''] = listed.map((line) => line.split('  ')[1]);
    // Parked for days: what is old enough to be put away is worked all the same.
    await shop.sql(`update pgboss.job set completed_on = now() - interval '30 days' where state = 'failed'`);
    expect(await runJobsCommand(shop.databaseUrls.run, ['retry', first])).toBe(
      '1 job will be tried again.\n',
    );
    await until(async () => (await stateOf(first)) === 'completed');
    expect((await runJobsCommand(shop.databaseUrls.run)).trim().split('\n')).toHaveLength(5);

    expect(await runJobsCommand(shop.databaseUrls.run, ['retry', 'all'])).toBe(
      '5 jobs will be tried again.\n',
    );
    await until(async () => {
      const [row] = await shop.sql<{ count: number }>('select count(*)::integer from tickets');
      return row?.count === 8;
    });
    expect(mailProvider.mails).toHaveLength(8);
    expect(await runJobsCommand(shop.databaseUrls.run)).toBe('No job is parked.\n');
  });
});

describe('the command', () => {
  it.each([[['retry']], [['retry', 'everything']], [['list']], [['retry', 'all', 'now']]])(
    'refuses %j with a word on how it is used',
    async (args) => {
      await expect(runJobsCommand(shop.databaseUrls.run, args)).rejects.toThrow('retry <id>, retry all');
    },
  );

  it('says so when no parked job has the id', async () => {
    await expect(runJobsCommand(shop.databaseUrls.run, ['retry', randomUUID()])).rejects.toThrow(
      'No parked job has this id.',
    );
  });
});
