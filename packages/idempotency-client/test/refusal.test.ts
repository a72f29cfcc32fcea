import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RetryVerdict } from '../src/problem.js';
import { judgeRefusal } from '../src/refusal.js';

const body = (status: number, retry: RetryVerdict) => ({
  status,
  code: 'some_code',
  retry,
  title: '',
  detail: '',
});
const judge = (status: number, retry: RetryVerdict | null, earlierMayHaveRun: boolean) =>
  judgeRefusal({ status, problem: retry && body(status, retry), earlierMayHaveRun });

describe.each([
  // status, verdict, first attempt of a new intent, an earlier attempt may have run
  [401, 'never', 'keep', 'ask'],
  [403, 'never', 'keep', 'ask'],
  [402, 'new_key', 'remove', 'remove'],
  [409, 'new_key', 'remove', 'remove'],
  [422, 'never', 'ask', 'ask'],
  [400, 'never', 'remove', 'ask'],
  [404, 'never', 'remove', 'ask'],
  [409, 'never', 'remove', 'ask'],
  [413, 'never', 'remove', 'ask'],
  [415, 'never', 'remove', 'ask'],
  [401, null, 'ask', 'ask'],
  [403, null, 'ask', 'ask'],
  [404, null, 'ask', 'ask'],
  [413, null, 'ask', 'ask'],
  [500, 'never', 'ask', 'ask'],
  [503, 'new_key', 'ask', 'ask'],
] as const)('a refusal %i with verdict %s', (status, retry, alone, later) => {
  test(`on the first attempt: ${alone}`, () => expect(judge(status, retry, false)).toBe(alone));
  test(`when an earlier attempt may have run: ${later}`, () =>
    expect(judge(status, retry, true)).toBe(later));
});

test('once an earlier attempt may have run, only the recorded outcome of this key removes the intent', () => {
  const verdicts = fc.constantFrom<RetryVerdict | null>('never', 'new_key', null);
  fc.assert(
    fc.property(fc.integer({ min: 400, max: 599 }), verdicts, (status, retry) => {
      if (judge(status, retry, true) === 'remove') expect(retry).toBe('new_key');
    }),
  );
});
