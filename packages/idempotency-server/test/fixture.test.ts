import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FixtureProcess } from './fixture-process.js';
import { TestDatabase } from './test-database.js';

const database = new TestDatabase();
/** The attempts that hold the lock of their key. */
const OWNERS = `select 1 from pg_locks where locktype = 'advisory' and granted
   and database = (select oid from pg_database where datname = current_database())`;
let fixture: FixtureProcess;
let other: FixtureProcess;
let doomed: FixtureProcess;
let brief: FixtureProcess;

beforeAll(async () => {
  await database.create();
  const env = { DATABASE_URL: database.url };
  // The first one makes the tables.
  fixture = await FixtureProcess.start(env);
  [other, doomed, brief] = await Promise.all([
    FixtureProcess.start(env),
    FixtureProcess.start(env),
    FixtureProcess.start({ ...env, RETENTION_MS: '50' }),
  ]);
});
afterAll(async () => {
  await Promise.all([fixture, other, brief].map((process) => process.end('SIGTERM')));
  await database.close();
});
beforeEach(async () => {
  expect((await fixture.post('/reset', undefined)).status).toBe(204);
});

describe('a keyed route', () => {
  test.each(['/echo', '/status/201', '/slow?ms=1', '/large?bytes=1'])(
    '%s without a key is 400',
    async (path) => {
      expect((await fixture.post(path, undefined)).status).toBe(400);
      expect((await fixture.post(path, '""')).status).toBe(400);
      expect((await fixture.post(path, 'a, b')).status).toBe(400);
      expect(await fixture.count()).toBe(0);
    },
  );

  test.each(['/status/99', '/status/600', '/status/x', '/slow', '/slow?ms=-1', '/large?bytes=1e9'])(
    '%s is 400, and its key stays unused',
    async (path) => {
      const key = randomUUID();
      expect((await fixture.post(path, key)).status).toBe(400);
      expect((await fixture.post('/status/201', key)).status).toBe(201);
      expect(await fixture.count()).toBe(1);
    },
  );

  test('/echo gives back bytes and content type, and a replay the same ones', async () => {
    const key = randomUUID();
    const body = Buffer.from([0, 0xff, 0xfe, 0x0a, 0x80]);
    const request = { body, headers: { 'content-type': 'application/x-odd; charset="x"' } };
    const first = await fixture.post('/echo', key, request);
    const again = await other.post('/echo', `"${key}"`, request);
    expect([first.status, first.isReplayed, again.status, again.isReplayed]).toEqual([201, false, 201, true]);
    for (const { body: echoed, headers } of [first, again]) {
      expect(echoed.equals(body)).toBe(true);
      expect(headers.get('content-type')).toBe('application/x-odd; charset="x"');
    }
    expect(again.headers.get('idempotency-expires')).toBe(first.headers.get('idempotency-expires'));
    expect(await fixture.count()).toBe(1);
  });

  test('JSON is bytes too: another spelling is another request', async () => {
    const key = randomUUID();
    const headers = { 'content-type': 'application/json' };
    const first = await fixture.post('/echo', key, { headers, body: '{"b":1,"a":2}' });
    const again = await fixture.post('/echo', key, { headers, body: '{"b":1,"a":2}' });
    expect([first, again].map(({ body }) => body.toString())).toEqual(['{"b":1,"a":2}', '{"b":1,"a":2}']);
    expect((await fixture.post('/echo', key, { headers, body: '{"a":2,"b":1}' })).status).toBe(422);
  });

  test.each([
    ['another body', '/echo', { body: 'two' }],
    ['another content type', '/echo', { body: 'one', headers: { 'content-type': 'text/css' } }],
    ['another route', '/status/201', { body: 'one' }],
  ])('%s under a used key is 422, and the record stays', async (_, path, init) => {
    const key = randomUUID();
    await fixture.post('/echo', key, { body: 'one' });
    expect((await fixture.post(path, key, init)).status).toBe(422);
    expect(await fixture.post('/echo', key, { body: 'one' })).toMatchObject({
      status: 201,
      isReplayed: true,
    });
    expect(await fixture.count()).toBe(1);
  });

  test.each([200, 201, 204, 302, 304, 400, 402, 404, 409, 422, 499])(
    'an answer of %i is stored',
    async (code) => {
      const key = randomUUID();
      const redirect = 'manual' as const;
      const first = await fixture.post(`/status/${code}`, key, { redirect });
      const again = await fixture.post(`/status/${code}`, key, { redirect });
      expect([first.status, first.isReplayed, again.status, again.isReplayed]).toEqual([
        code,
        false,
        code,
        true,
      ]);
      const body = code === 204 || code === 304 ? '' : `status:${code}`;
      expect([first.body.toString(), again.body.toString()]).toEqual([body, body]);
      expect(await fixture.count()).toBe(1);
    },
  );

  test.each([500, 503, 599])('an answer of %i is not stored, and what it did is undone', async (code) => {
    const key = randomUUID();
    for (let attempt = 0; attempt < 3; attempt++) {
      const reply = await fixture.post(`/status/${code}`, key);
      expect(reply).toMatchObject({ status: code, isReplayed: false });
      expect(reply.body.toString()).toBe(`status:${code}`);
    }
    expect(await fixture.count()).toBe(0);
    expect((await fixture.post('/status/201', key)).status).toBe(201);
  });

  test('a large answer is whole the first time; its replay says that it was done, and does nothing', async () => {
    const key = randomUUID();
    const path = `/large?bytes=${1024 * 1024 + 1}`;
    const first = await fixture.post(path, key);
    expect(first.body.equals(Buffer.alloc(1024 * 1024 + 1, 'x'))).toBe(true);
    const again = await fixture.post(path, key);
    expect(again).toMatchObject({ status: 200, isReplayed: true });
    expect(again.body.toString()).toBe('This was done. Its answer was too large to keep.');
    expect(await fixture.count()).toBe(1);
  });

  test('a key is ignored where none is needed', async () => {
    const init = { headers: { 'idempotency-key': 'abc' } };
    for (let round = 0; round < 2; round++) {
      const response = await fetch(`${fixture.url}/counter`, init);
      expect(await response.json()).toEqual({ count: 0 });
      expect(response.headers.get('idempotent-replayed')).toBeNull();
    }
    expect((await fixture.post('/reset', 'abc')).status).toBe(204);
  });
});

describe('several processes', () => {
  test('an attempt that is running in one process is 409 in the other, at once', async () => {
    const key = randomUUID();
    const first = fixture.post('/slow?ms=3000', key);
    await untilOwned();
    const meanwhile = await other.post('/slow?ms=3000', key);
    expect(meanwhile).toMatchObject({ status: 409, isReplayed: false });
    expect(meanwhile.headers.get('retry-after')).toBe('1');
    expect(await database.sql(OWNERS)).toHaveLength(1);
    expect((await first).body.toString()).toBe('slept:3000');
    expect(await other.post('/slow?ms=3000', key)).toMatchObject({ status: 200, isReplayed: true });
    expect(await fixture.count()).toBe(1);
  });

  test('of 50 equal requests at once, one is done', async () => {
    const key = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? fixture : other).post('/echo', key, { body: 'one' }),
      ),
    );
    expect(replies.filter(({ status, isReplayed }) => status === 201 && !isReplayed)).toHaveLength(1);
    expect(replies.filter(({ status, isReplayed }) => status === 409 || isReplayed)).toHaveLength(49);
    expect(await fixture.count()).toBe(1);
  });

  test('a process that is killed in its work leaves nothing, and another does it', async () => {
    const key = randomUUID();
    const cutOff = expect(doomed.post('/slow?ms=2000', key)).rejects.toThrow();
    await untilOwned();
    await doomed.end('SIGKILL');
    await cutOff;
    await database.untilSome(`select 1 where not exists (${OWNERS})`);
    expect(await fixture.count()).toBe(0);
    expect(await database.sql('select from idempotency_records')).toEqual([]);

    expect(await fixture.post('/slow?ms=2000', key)).toMatchObject({ status: 200, isReplayed: false });
    expect(await fixture.count()).toBe(1);
  });

  test('a key is new after the retention that its process was started with', async () => {
    const key = randomUUID();
    await brief.post('/echo', key, { body: 'one' });
    await database.untilSome('select 1 from idempotency_records where expires_at <= clock_timestamp()');
    const reply = await fixture.post('/echo', key, { body: 'two' });
    expect(reply).toMatchObject({ status: 201, isReplayed: false });
    expect(await fixture.count()).toBe(2);
  });
});

/** Resolves once an attempt holds the lock of its key. */
async function untilOwned(): Promise<void> {
  await database.untilSome(OWNERS);
}
