import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ApiProcess } from './api-process.js';
import { send } from './http-request.js';
import { until, useShop } from './shop.js';
import { balancePayment } from './shopper.js';

/** Where each API writes down, again and again, which CommonJS files it has loaded; all of the tracing SDK is such. */
const loadedFiles = mkdtempSync(join(tmpdir(), 'pay-once-loaded-'));
const LIST_FILES = `
  import { writeFileSync } from 'node:fs';
  import { createRequire } from 'node:module';
  const { cache } = createRequire('/');
  const list = '${loadedFiles}/' + process.pid;
  setInterval(() => writeFileSync(list, Object.keys(cache).join()), 200).unref();`;

// Before the shop's own, and so after it: its processes write there until they end.
afterAll(() => rmSync(loadedFiles, { recursive: true, force: true }));
const shop = useShop({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(LIST_FILES)}` });
let collector: Server;
let collected = '';
let api: ApiProcess;

/** A collector of traces that keeps what it is sent. */
beforeAll(async () => {
  collector = createServer((request, response) => {
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      collected += chunk;
    });
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  api = await shop.startApi({
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  });
});

afterAll(() => {
  collector.close();
});

async function metric(name: string): Promise<number> {
  const { text } = await send(`${api.url}/metrics`, { method: 'GET' });
  const line = text.split('\n').find((candidate) => candidate.startsWith(name));
  return Number(line?.split(' ').at(-1) ?? 0);
}

it('counts what happens to a key', async () => {
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  const key = randomUUID();
  const names = [
    'claimed',
    'completed',
    'replayed',
    'fingerprint_mismatch',
    'released',
    'expired_key_reused',
  ];
  const counts = () => Promise.all(names.map((name) => metric(`idempotency_${name}_total{`)));
  const before = await counts();

  await shopper.pay(order, { key });
  await shopper.pay(order, { key });
  await shopper.pay(order, { key, body: { ...balancePayment(order), amountMinor: 1 } });
  await shopper.pay(order, { key: randomUUID() });
  await shop.sql(`update idempotency_records set expires_at = clock_timestamp() where tenant_id = $1`, [
    shopper.sandboxId,
  ]);
  await shopper.pay(order, { key });

  // The last two were claimed, the last one as an expired key, and rolled back: the order was paid.
  const grown = (await counts()).map((count, index) => count - (before[index] ?? 0));
  expect(Object.fromEntries(names.map((name, index) => [name, grown[index]]))).toEqual({
    claimed: 2,
    completed: 1,
    replayed: 1,
    fingerprint_mismatch: 1,
    released: 2,
    expired_key_reused: 1,
  });
});

it('counts an attempt that met a running one', async () => {
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  const key = randomUUID();
  const before = await metric('idempotency_in_progress_hit_total{');
  const held = shop.holdNextPayment();
  const first = shopper.pay(order, { key });
  await held;
  await shopper.pay(order, { key });
  shop.letGo();
  expect((await first).status).toBe(201);
  expect(await metric('idempotency_in_progress_hit_total{')).toBe(before + 1);
});

it('tells the age of the oldest unfinished record', async () => {
  const age = () => metric('idempotency_oldest_unfinished_seconds');
  await until(async () => (await age()) === 0);
  await shop.sql(
    `insert into idempotency_records (tenant_id, key, operation, operation_id, fingerprint, lease_expires_at, created_at)
     values ('nobody', 'k', 'test', gen_random_uuid(), sha256(''), clock_timestamp(), clock_timestamp() - interval '90 seconds')`,
  );
  await until(async () => (await age()) > 89);
  await shop.sql(`delete from idempotency_records where tenant_id = 'nobody'`);
});

it('logs an answer with a hash of the key and nothing that was sent', async () => {
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  const key = `secret-key-${randomUUID()}`;
  const paid = await shopper.pay(order, { key });
  const pasted = await shopper.send('GET', '/api/orders/4111111111111111?card=4111111111111111');

  const keyHash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  await vi.waitFor(() => expect(api.output()).toContain(pasted.headers['x-request-id']), {
    timeout: 5_000,
  });
  const lines = api.output().split('\n');
  const line = lines.find((candidate) => candidate.includes(String(paid.headers['x-request-id'])));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    method: 'POST',
    route: '/api/orders/:orderId/payments',
    status: 201,
    keyHash,
    operationId: paid.headers['operation-id'],
  });
  for (const secret of [key, shopper.token, '4111111111111111', '"method":{']) {
    expect(api.output()).not.toContain(secret);
  }
});

it('gives all attempts of a key one hash, quoted, bare and sent by a form', async () => {
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  const key = randomUUID();
  const page = await shopper.send('GET', `/checkout/${order.id}`);
  const formToken = /name="formToken" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const { amountMinor, currency } = balancePayment(order);
  const fields = { idempotencyKey: key, formToken, amountMinor: String(amountMinor), currency };
  const attempts = [
    await shopper.send('POST', `/checkout/${order.id}/pay`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    }),
    await shopper.pay(order, { key }),
    await shopper.pay(order, { key: `"${key}"` }),
    await shopper.pay(order, { key: `${key},${key}` }),
  ];

  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const ids = attempts.map((attempt) => String(attempt.headers['x-request-id']));
  await vi.waitFor(() => expect(api.output()).toContain(ids.at(-1)), { timeout: 5_000 });
  const lines = api.output().split('\n');
  const logged = ids.map((id) => JSON.parse(lines.find((line) => line.includes(id)) ?? '{}'));
  expect(logged.map(({ status, keyHash }) => [status, keyHash])).toEqual([
    [303, hash],
    [201, hash],
    [201, hash],
    [400, undefined],
  ]);
});

it('blots out whatever is named like a secret, wherever in a line it stands', async () => {
  const script = `
    import { createLog } from '${new URL('../dist/observability/log.js', import.meta.url)}';
    const secrets = { key: 'hidden', token: 'hidden', card: 'hidden', body: 'hidden', kept: 'seen' };
    const headers = { ...secrets, authorization: 'hidden' };
    const log = createLog({ name: 'test', level: 'info' });
    log.info({ ...secrets, headers, error: { query: { parameters: ['hidden'] } } }, 'a line');
    log.flush();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toMatchObject({ kept: 'seen', headers: { kept: 'seen' } });
  expect(stdout).not.toContain('hidden');
});

it('sends a span for each attempt, with one operation id for the key', async () => {
  const shopper = await shop.newShopper(api.url);
  const order = await shopper.order();
  const key = randomUUID();
  const attempts = [await shopper.pay(order, { key }), await shopper.pay(order, { key })];
  const operationId = String(attempts[0]?.headers['operation-id']);

  await vi.waitFor(
    () => expect(collected.split(operationId).length - 1, 'spans with the operation id').toBe(2),
    { timeout: 10_000 },
  );
  for (const attempt of attempts) expect(collected).toContain(String(attempt.headers['x-request-id']));
  expect(collected).not.toContain(key);
});

it('loads nothing of the tracing SDK without a collector, and pays as well', async () => {
  const shopper = await shop.newShopper();
  expect((await shopper.pay(await shopper.order(), { key: randomUUID() })).status).toBe(201);
  const paidAt = Date.now();
  const lists = () => readdirSync(loadedFiles).map((pid) => ({ pid, path: join(loadedFiles, pid) }));
  await until(
    async () => lists().length === 2 && lists().every(({ path }) => statSync(path).mtimeMs > paidAt),
  );
  const sdk = lists().map(({ pid, path }) => ({
    isTraced: pid === String(api.process.pid),
    hasSdk: /@opentelemetry[/+](sdk|exporter)/.test(readFileSync(path, 'utf8')),
  }));
  expect(sdk).toHaveLength(2);
  expect(sdk).toContainEqual({ isTraced: false, hasSdk: false });
  expect(sdk).toContainEqual({ isTraced: true, hasSdk: true });
});
