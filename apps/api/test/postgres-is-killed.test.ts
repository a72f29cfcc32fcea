import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paymentSchema } from '@pay-once/contracts';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
// @ts-expect-error: a script of the workspace, which has no types
import { startPostgres } from '../../../scripts/postgres.mjs';
import { type ApiProcess, runMigrations, runProgram, startApi } from './api-process.js';
import { CardNetwork } from './card-network-process.js';
import { until } from './shop.js';
import { cardPayment, Shopper } from './shopper.js';

const folder = mkdtempSync(join(tmpdir(), 'pay-once-killed-'));
const place = { directory: join(folder, 'postgres'), log: join(folder, 'postgres.log') };
let server: {
  url: (user: string, database: string) => string;
  exited: Promise<number>;
  stop(): Promise<void>;
};
let network: CardNetwork;
const apis: ApiProcess[] = [];

const urls = () => ({
  owner: server.url('postgres', 'postgres'),
  run: server.url('pay_once_app', 'postgres'),
});

beforeAll(async () => {
  network = await CardNetwork.open();
  server = await startPostgres(place);
  await runMigrations(urls());
});

afterAll(async () => {
  await Promise.all(apis.map((api) => api.kill()));
  await server.stop();
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openApi(): Promise<ApiProcess> {
  // The answer is awaited for longer than it takes to kill Postgres on a busy machine.
  const settings = { LEASE_MS: '9000', CARD_NETWORK_TIMEOUT_MS: '8000', LOG_LEVEL: 'silent' };
  const api = await startApi({ DATABASE_URL: urls().run, CARD_NETWORK_URL: network.url, ...settings });
  apis.push(api);
  return api;
}

async function askPostgres<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: urls().owner });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function killPostgres(): Promise<void> {
  const [row] = await askPostgres<{ data_directory: string }>('show data_directory');
  const note = readFileSync(join(row?.data_directory ?? '', 'postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(note, 10), 'SIGKILL');
  await server.exited;
}

it('Postgres is killed while the card network is asked; started again, the same key settles one authorisation', async () => {
  const shopper = await Shopper.arrive((await openApi()).url);
  const order = await shopper.order();
  const key = randomUUID();
  const body = cardPayment(order, 'card_visa_approved');
  await network.arm({ fault: 'slow', on: 'authorisations', delayMs: 3_000 });
  const paying = shopper.pay(order, { key, body });
  await until(async () => (await network.operations()).length === 1);
  await killPostgres();
  // The network has acted, and there was no database to settle in.
  expect((await paying).status).toBe(503);

  server = await startPostgres(place);
  const afterwards = shopper.at((await openApi()).url);
  let reply = await afterwards.pay(order, { key, body });
  await until(async () => {
    // Until the lease of the attempt that broke off is over.
    if (reply.status === 409) reply = await afterwards.pay(order, { key, body });
    return reply.status !== 409;
  });
  expect(reply.status).toBe(201);
  const { id } = paymentSchema.parse(JSON.parse(reply.text));
  expect(await network.operations()).toMatchObject([{ reference: id, status: 'approved' }]);
  expect(await askPostgres(`select kind from ledger_entries where payment_id = $1`, [id])).toEqual([
    { kind: 'charge' },
  ]);

  const reconciling = runProgram('reconcile-command.js', {
    DATABASE_URL: urls().run,
    CARD_NETWORK_URL: network.url,
  });
  expect([await reconciling.ended, reconciling.output()]).toEqual([0, '']);
});
