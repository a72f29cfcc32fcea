import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type IdempotentFetchOptions, idempotentFetch } from '../src/idempotent-fetch.js';
import { createIntentStore } from '../src/intent-store.js';
import { createStorage } from './fake-storage.js';
import {
  answerWith,
  cutOff,
  hang,
  loseReply,
  loseRequest,
  type PaymentServer,
  refuseWith,
  stall,
  startPaymentServer,
} from './payment-server.js';

const body = '{"amountMinor":150000000, "currency":"IDR"}';
const quick = { baseDelayMs: 1, capDelayMs: 4 };

let server: PaymentServer;
let storage: ReturnType<typeof createStorage>;
let subjects = 0;
let subject: string;

beforeEach(async () => {
  server = await startPaymentServer();
  storage = createStorage();
  subject = `fetch:${++subjects}`;
});
afterEach(() => server.close());

/** A new store over the same storage each time, as after a reload. */
function send(options: Partial<IdempotentFetchOptions> = {}) {
  const store = createIntentStore({ storage: () => storage });
  const request = { url: `${server.origin}/payments`, subject, operation: 'payments.create', body, store };
  return idempotentFetch({ ...request, policy: quick, ...options });
}

const storedKey = (): string | undefined => {
  const text = storage.items.get(`pay-once:${subject}`);
  return text && JSON.parse(text).key;
};

function expectOneKeyAndOneBody(attempts: number): void {
  expect(server.posts).toHaveLength(attempts);
  expect(new Set(server.posts.map((post) => post.key)).size).toBe(1);
  expect(new Set(server.posts.map((post) => post.body))).toEqual(new Set([body]));
}

describe('a success', () => {
  test('is answered with its body and location, and the intent is gone', async () => {
    const result = await send();
    expect(result).toEqual({
      kind: 'answered',
      status: 201,
      body: { paid: body },
      replayed: false,
      location: '/payments/1',
    });
    expect(storage.items.size).toBe(0);
  });

  test('has its intent stored before the first byte leaves', async () => {
    let storedWhenSent: string | undefined;
    await send({
      fetch: (url, init) => {
        storedWhenSent = storedKey();
        return fetch(url, init);
      },
    });
    expect(storedWhenSent).toBe(server.posts[0]?.key);
  });

  test('carries extra headers, and none of them can replace the key', async () => {
    await send({ headers: { 'x-csrf': 'abc', 'idempotency-key': 'mine' } });
    expect(server.posts[0]?.headers).toMatchObject({ 'x-csrf': 'abc', 'content-type': 'application/json' });
    expect(server.posts[0]?.key).toMatch(/^[\da-f-]{36}$/);
  });

  test('without a body is a success', async () => {
    server.breakNext((response) => response.writeHead(204).end());
    expect(await send()).toMatchObject({ kind: 'answered', status: 204, body: null });
  });
});

describe('no final answer', () => {
  test('a lost reply is retried with the same key and body, and is the replay of one charge', async () => {
    server.breakNext(loseReply);
    expect(await send()).toMatchObject({ kind: 'answered', status: 201, replayed: true });
    expectOneKeyAndOneBody(2);
    expect(server.charges).toEqual([body]);
  });

  test.each([
    ['a lost request', loseRequest],
    ['a 502 page of a proxy', answerWith(502, '<h1>Bad gateway</h1>')],
    ['a 200 page of a captive portal', answerWith(200, '<h1>Sign in to the hotel</h1>')],
    ['a redirect, even to an answer', answerWith(303, '', { Location: '/payments/1' })],
    ['a success that is cut off', cutOff],
    ['a success that is too large to be one', answerWith(201, { junk: 'x'.repeat(300_000) })],
    ['a problem that says same_key', refuseWith(503, 'unavailable', 'same_key')],
    ['a rate limit', refuseWith(429, 'rate_limited', 'same_key')],
  ])('%s is retried with the same key and the same bytes', async (_name, fault) => {
    server.breakNext(fault, fault);
    expect(await send()).toMatchObject({ kind: 'answered', status: 201 });
    expectOneKeyAndOneBody(3);
    expect(server.charges).toEqual([body]);
  });

  test.each([
    ['a server that never answers', hang],
    ['a success whose body never ends', stall],
  ])('%s is given up and retried with the same key and the same bytes', async (_name, fault) => {
    server.breakNext(fault);
    expect(await send({ policy: { ...quick, attemptTimeoutMs: 1_500 } })).toMatchObject({ kind: 'answered' });
    expectOneKeyAndOneBody(2);
  });

  test('within the attempts is unknown, and the intent stays for the next press', async () => {
    server.breakNext(loseReply, loseRequest, cutOff, answerWith(500, 'x'));
    expect(await send()).toEqual({ kind: 'unknown', why: 'no_final_answer' });
    expectOneKeyAndOneBody(4);
    expect(storedKey()).toBe(server.posts[0]?.key);
    expect(await send({ body: '{"amountMinor":999}' })).toMatchObject({ kind: 'answered', replayed: true });
    expectOneKeyAndOneBody(5);
  });

  test('ends with the budget even when nobody answers', async () => {
    server.breakNext(hang, hang, hang);
    const startedAtMs = Date.now();
    expect(await send({ policy: { ...quick, attemptTimeoutMs: 60_000, budgetMs: 300 } })).toMatchObject({
      kind: 'unknown',
    });
    expect(Date.now() - startedAtMs).toBeLessThan(2_000);
  });

  test('waits as long as Retry-After says', async () => {
    server.breakNext(refuseWith(503, 'unavailable', 'same_key', { 'Retry-After': '1' }));
    expect(await send()).toMatchObject({ kind: 'answered' });
    const [first, second] = server.posts;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });
});

describe('still being processed', () => {
  const inProgress = refuseWith(409, 'request_in_progress', 'same_key');

  test('409 and then the success is a success', async () => {
    server.breakNext(inProgress, inProgress);
    expect(await send()).toMatchObject({ kind: 'answered', status: 201 });
    expectOneKeyAndOneBody(3);
  });

  test('409 until the attempts are spent is processing, not unknown', async () => {
    server.breakNext(inProgress, inProgress, inProgress, inProgress);
    expect(await send()).toEqual({ kind: 'processing', location: null });
    expect(storedKey()).toBe(server.posts[0]?.key);
  });

  test.each([
    ['with a body', answerWith(202, { status: 'processing' }), null],
    ['without one', answerWith(202, ''), null],
    ['with a place to look', answerWith(202, '', { Location: '/payments/7' }), '/payments/7'],
  ])('202 %s is processing at once, and the intent stays', async (_name, fault, location) => {
    server.breakNext(fault);
    expect(await send()).toEqual({ kind: 'processing', location });
    expectOneKeyAndOneBody(1);
    expect(storedKey()).toBe(server.posts[0]?.key);
  });

  test('202 keeps the intent as long as the server says, even when the clock of this device is wrong', async () => {
    const wrongNow = () => Date.now() + 365 * 24 * 60 * 60 * 1000;
    const store = createIntentStore({ storage: () => storage, now: wrongNow });
    const inAnHour = new Date(Date.now() + 60 * 60 * 1000).toUTCString();
    server.breakNext(answerWith(202, {}, { 'Idempotency-Expires': inAnHour }));
    await send({ store, now: wrongNow });
    expect(store.read(subject).kind).toBe('open');
  });
});

describe('a refusal', () => {
  test('that the server stored ends the intention, also after a lost reply: the next press is a new key', async () => {
    server.breakNext(loseReply);
    const refused = await send({ body: '{"card":"declined"}' });
    expect(refused).toMatchObject({ kind: 'refused', intent: 'removed', problem: { code: 'card_declined' } });
    expect(storage.items.size).toBe(0);
    expect(await send()).toMatchObject({ kind: 'answered', replayed: false });
    expect(server.posts[2]?.key).not.toBe(server.posts[0]?.key);
  });

  test('of the first attempt of a new intent is proof that nothing happened', async () => {
    server.breakNext(refuseWith(400, 'request_invalid', 'never'));
    expect(await send()).toMatchObject({ kind: 'refused', intent: 'removed', problem: { status: 400 } });
    expect(storage.items.size).toBe(0);
  });

  test('after a lost reply proves nothing about the attempt before', async () => {
    server.breakNext(loseReply, refuseWith(404, 'not_found', 'never'));
    expect(await send()).toMatchObject({
      kind: 'unknown',
      why: 'unproven_refusal',
      problem: { code: 'not_found' },
    });
    expect(storedKey()).toBe(server.posts[0]?.key);
  });

  test('after a reload proves nothing about the attempt before', async () => {
    server.breakNext(loseReply);
    await send({ policy: { ...quick, attemptsMax: 1 } });
    server.breakNext(refuseWith(404, 'not_found', 'never'));
    expect(await send()).toMatchObject({ kind: 'unknown', why: 'unproven_refusal' });
    expect(storedKey()).toBe(server.posts[0]?.key);
  });

  test('of a reused key keeps the intent, so that nothing is charged before somebody has looked', async () => {
    server.breakNext(refuseWith(422, 'idempotency_key_reused', 'never'));
    expect(await send()).toMatchObject({
      kind: 'unknown',
      why: 'unproven_refusal',
      problem: { status: 422 },
    });
    expect(storedKey()).toBe(server.posts[0]?.key);
  });

  test('of the caller keeps the key for after signing in', async () => {
    server.breakNext(refuseWith(401, 'unauthenticated', 'never'));
    expect(await send()).toMatchObject({ kind: 'refused', intent: 'kept' });
    expect(await send()).toMatchObject({ kind: 'answered' });
    expectOneKeyAndOneBody(2);
  });

  test('that is a page of a proxy proves nothing', async () => {
    server.breakNext(answerWith(413, '<h1>Too large</h1>'));
    expect(await send()).toMatchObject({
      kind: 'unknown',
      why: 'unproven_refusal',
      problem: { code: 'http_413' },
    });
    expect(storedKey()).toBe(server.posts[0]?.key);
  });
});

describe('nothing is sent', () => {
  test('and nothing is stored when the browser is offline at the press', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    expect(await send()).toEqual({ kind: 'not_sent', intent: 'none' });
    expect(server.posts).toEqual([]);
    expect(storage.items.size).toBe(0);
  });

  test('when it is offline at the second press, and the first intent stays', async () => {
    server.breakNext(loseReply);
    await send({ policy: { ...quick, attemptsMax: 1 } });
    vi.stubGlobal('navigator', { onLine: false });
    expect(await send()).toEqual({ kind: 'not_sent', intent: 'kept' });
    expect(storedKey()).toBe(server.posts[0]?.key);
    expect(server.posts).toHaveLength(1);
  });

  test('after the key has expired: the thing has to be looked up', async () => {
    server.breakNext(loseReply);
    await send({ policy: { ...quick, attemptsMax: 1 } });
    const store = createIntentStore({ storage: () => storage, now: () => Date.now() + 25 * 60 * 60 * 1000 });
    expect(await send({ store })).toEqual({ kind: 'unknown', why: 'stale' });
    expect(server.posts).toHaveLength(1);
  });

  test('again once the server has said that the key is over', async () => {
    server.breakNext(
      answerWith(202, {}, { 'Idempotency-Expires': new Date(Date.now() - 1000).toUTCString() }),
    );
    expect(await send()).toEqual({ kind: 'processing', location: null });
    expect(await send()).toEqual({ kind: 'unknown', why: 'stale' });
    expect(server.posts).toHaveLength(1);
  });

  test.each([
    ['during an attempt', hang],
    ['during the pause after one', loseReply],
  ])('when the page is left %s, which is no failure: the intent stays', async (_name, fault) => {
    const leaving = new AbortController();
    server.breakNext(fault);
    const policy = { baseDelayMs: 60_000, capDelayMs: 60_000, budgetMs: 600_000, attemptTimeoutMs: 60_000 };
    const sent = send({ signal: leaving.signal, policy, random: () => 0.9 });
    await server.postsArrived(1);
    setTimeout(() => leaving.abort(), 50);
    expect(await sent).toEqual({ kind: 'unknown', why: 'aborted' });
    expectOneKeyAndOneBody(1);
    expect(storedKey()).toBe(server.posts[0]?.key);
  });
});
