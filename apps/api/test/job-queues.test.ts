import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMigrations, runProgram } from './api-process.js';
import { useMailProvider } from './mail-provider.js';
import { until, useShop } from './shop.js';
import { startWorker } from './worker-process.js';

const shop = useShop();
const mailProvider = useMailProvider();

async function asRunRole(): Promise<Client> {
  const client = new Client({ connectionString: shop.databaseUrls.run });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('the role of api and worker', () => {
  it.each([
    ['make a queue', `select pgboss.create_queue('mine', '{}')`],
    ['drop a queue', `select pgboss.delete_queue('e-tickets')`],
    ['change a queue', `update pgboss.queue set retry_limit = 0`],
    ['empty the queue', 'truncate pgboss.job'],
    ['make a table', 'create table pgboss.mine ()'],
    ['say that the schema is another one', 'update pgboss.version set version = 1'],
  ])('cannot %s', async (_what, sql) => {
    const client = await asRunRole();
    await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a process without the queues', () => {
  it.each(['main.js', 'worker.js'])('%s does not start', async (file) => {
    await shop.sql(`delete from pgboss.queue where name = 'messages'`);
    const program = runProgram(file, { DATABASE_URL: shop.databaseUrls.run, PORT: '0' });
    onTestFinished(() => void program.process.kill('SIGKILL'));
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('Job queues are missing: messages.');
    // What the next migration finds and mends is one that is missing whole.
    await shop.sql(`drop table pgboss.j${await partitionHash('messages')}`);
    await runMigrations(shop.databaseUrls);
  });
});

async function partitionHash(queue: string): Promise<string> {
  const [row] = await shop.sql<{ hash: string }>(`select encode(sha224($1::bytea), 'hex') as hash`, [queue]);
  return row?.hash ?? '';
}

describe('a worker', () => {
  it('forgets processed jobs after their days, and no others', async () => {
    const old = randomUUID();
    const recent = randomUUID();
    await shop.sql(
      `insert into processed_jobs (id, processed_at)
       values ($1, now() - interval '31 days'), ($2, now() - interval '29 days')`,
      [old, recent],
    );
    await startWorker({ databaseUrl: shop.databaseUrls.run, mailProviderUrl: mailProvider.url });
    await until(async () => (await shop.sql('select from processed_jobs where id = $1', [old])).length === 0);
    expect(await shop.sql('select from processed_jobs where id = $1', [recent])).toHaveLength(1);
  });

  it('says nothing of what a person wrote or owns', async () => {
    const worker = await startWorker({
      databaseUrl: shop.databaseUrls.run,
      mailProviderUrl: mailProvider.url,
    });
    const shopper = await shop.newShopper();
    const secrets = { name: 'Zebulon', email: 'zebulon@example.com', text: 'Quetzalcoatl' };
    const key = randomUUID();
    mailProvider.fail(() => true, 'refused');
    const headers = { 'idempotency-key': key };
    expect((await shopper.send('POST', '/api/messages', { headers, body: secrets })).status).toBe(201);
    await until(async () => worker.output().includes('"outcome":"done"'));
    expect(worker.output()).toContain('"outcome":"retried"');
    const [job] = await shop.sql<{ row: string }>(
      `select job::text as row from pgboss.job where name = 'messages'`,
    );
    for (const secret of [...Object.values(secrets), key, shopper.token]) {
      expect(worker.output()).not.toContain(secret);
      expect(job?.row).not.toContain(secret);
    }
  });
});
