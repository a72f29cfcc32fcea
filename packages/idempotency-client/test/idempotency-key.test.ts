import { expect, test, vi } from 'vitest';
import { createIdempotencyKey } from '../src/idempotency-key.js';

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('a key is a version 4 UUID and never the same twice', () => {
  const keys = new Set(Array.from({ length: 1000 }, createIdempotencyKey));
  expect(keys.size).toBe(1000);
  for (const key of keys) expect(key).toMatch(UUID_V4);
});

test('a key needs only getRandomValues, which plain http has too', () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) });
  expect(createIdempotencyKey()).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
});
