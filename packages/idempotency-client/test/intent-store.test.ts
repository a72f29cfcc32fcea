import { describe, expect, test } from 'vitest';
import { createIntentStore } from '../src/intent-store.js';
import { createStorage, hostileStorages } from './fake-storage.js';

const HOUR_MS = 60 * 60 * 1000;
const pay = { operation: 'payments.create', body: '{"amountMinor":1}' };

let subjects = 0;
/** The memory lives as long as the page; a subject of its own keeps the tests apart. */
const newSubject = () => `order:${++subjects}`;

describe('an intent', () => {
  test('is in the storage when begin returns, under the prefix and the subject', () => {
    const storage = createStorage();
    const subject = newSubject();
    const begun = createIntentStore({ storage: () => storage }).begin(subject, pay);
    expect(begun.kind).toBe('fresh');
    expect(JSON.parse(storage.getItem(`pay-once:${subject}`) ?? '')).toEqual(begun.intent);
    expect(begun.intent).toMatchObject(pay);
  });

  test('is found again, with its first body, by a second press, another tab and a reload', () => {
    const storage = createStorage();
    const subject = newSubject();
    const first = createIntentStore({ storage: () => storage }).begin(subject, pay);
    const second = createIntentStore({ storage: () => storage }).begin(subject, {
      ...pay,
      body: '{"changed":1}',
    });
    expect(second).toEqual({ kind: 'found', intent: first.intent });
  });

  test('gets the other key when another tab wrote in the same moment', () => {
    const storage = createStorage();
    const subject = newSubject();
    const other = createIntentStore({ prefix: 'pay-once', storage: () => storage });
    const racing = {
      ...storage,
      setItem: (name: string, value: string) => {
        const theirs = JSON.stringify({ ...JSON.parse(value), key: 'their-key' });
        storage.setItem(name, theirs);
      },
    };
    const begun = createIntentStore({ storage: () => racing }).begin(subject, pay);
    expect(begun).toMatchObject({ kind: 'found', intent: { key: 'their-key' } });
    expect(other.read(subject)).toMatchObject({ kind: 'open', intent: { key: 'their-key' } });
  });

  test('is gone after finish, and the next one has a new key', () => {
    const storage = createStorage();
    const store = createIntentStore({ storage: () => storage });
    const subject = newSubject();
    const first = store.begin(subject, pay);
    store.finish(subject, first.intent.key);
    expect(store.read(subject)).toEqual({ kind: 'none' });
    expect(storage.items.size).toBe(0);
    const next = store.begin(subject, pay);
    expect(next.kind).toBe('fresh');
    expect(next.intent.key).not.toBe(first.intent.key);
  });

  test('stays when another key is finished', () => {
    const store = createIntentStore({ storage: createStorage });
    const subject = newSubject();
    const begun = store.begin(subject, pay);
    store.finish(subject, 'another-key');
    expect(store.read(subject)).toEqual({ kind: 'open', intent: begun.intent });
  });

  test('is stale after its retention and is not replaced before it was looked up', () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const storage = createStorage();
    const store = createIntentStore({ storage: () => storage, now: () => nowMs });
    const subject = newSubject();
    const { intent } = store.begin(subject, pay);
    nowMs += 24 * HOUR_MS - 1;
    expect(store.read(subject).kind).toBe('open');
    nowMs += 1;
    expect(store.read(subject)).toEqual({ kind: 'stale', intent });
    expect(store.begin(subject, pay)).toEqual({ kind: 'stale', intent });
    store.finish(subject, intent.key);
    expect(store.begin(subject, pay).kind).toBe('fresh');
  });

  test('lives as long as the server says', () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const storage = createStorage();
    const store = createIntentStore({ storage: () => storage, retentionMs: HOUR_MS, now: () => nowMs });
    const subject = newSubject();
    const { intent } = store.begin(subject, pay);
    store.keepUntil(subject, intent.key, nowMs + 3 * HOUR_MS);
    store.keepUntil(subject, 'another-key', nowMs);
    nowMs += 2 * HOUR_MS;
    expect(store.read(subject).kind).toBe('open');
    nowMs += HOUR_MS;
    expect(store.read(subject).kind).toBe('stale');
  });

  test('is not sent for another operation', () => {
    const store = createIntentStore({ storage: createStorage });
    const subject = newSubject();
    const { intent } = store.begin(subject, pay);
    expect(store.begin(subject, { ...pay, operation: 'refunds.create' })).toEqual({ kind: 'stale', intent });
  });
});

describe.each(Object.keys(hostileStorages))('with a storage %s', (name) => {
  const storage = hostileStorages[name] ?? createStorage;

  test('two presses have one key, and a finished key is not used again', () => {
    const store = createIntentStore({ storage });
    const subject = newSubject();
    const first = store.begin(subject, pay);
    expect(first).toMatchObject({ kind: 'fresh', intent: pay });
    const second = createIntentStore({ storage }).begin(subject, pay);
    expect(second.intent).toEqual(first.intent);
    store.keepUntil(subject, first.intent.key, Date.now() + HOUR_MS);
    store.finish(subject, first.intent.key);
    expect(store.read(subject).kind).toBe('none');
    expect(store.begin(subject, pay).intent.key).not.toBe(first.intent.key);
  });
});

test('a storage that is cleared in the middle of a payment does not lose the key', () => {
  const storage = createStorage();
  const subject = newSubject();
  const first = createIntentStore({ storage: () => storage }).begin(subject, pay);
  storage.items.clear();
  expect(createIntentStore({ storage: () => storage }).begin(subject, pay)).toEqual({
    ...first,
    kind: 'found',
  });
});

test('a finished intent that cannot be removed from the storage is not read again', () => {
  const storage = createStorage();
  const stuck = {
    ...storage,
    removeItem: () => {
      throw new Error('read only');
    },
  };
  const store = createIntentStore({ storage: () => stuck });
  const subject = newSubject();
  const { intent } = store.begin(subject, pay);
  store.finish(subject, intent.key);
  expect(storage.items.size).toBe(1);
  expect(store.read(subject)).toEqual({ kind: 'none' });
});
