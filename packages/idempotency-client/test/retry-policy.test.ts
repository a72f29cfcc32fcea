import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problem, RetryVerdict } from '../src/problem.js';
import {
  type Attempted,
  type AttemptOutcome,
  DEFAULT_RETRY_POLICY,
  decideAfterAttempt,
} from '../src/retry-policy.js';

const NOW_MS = Date.UTC(2026, 0, 1, 12);

function decide(outcome: AttemptOutcome, attempted: Partial<Attempted> = {}) {
  return decideAfterAttempt({
    outcome,
    attempt: 1,
    elapsedMs: 0,
    policy: DEFAULT_RETRY_POLICY,
    random: () => 0.5,
    nowMs: NOW_MS,
    ...attempted,
  });
}

function answer(status: number, retry?: RetryVerdict, retryAfter: string | null = null): AttemptOutcome {
  const problem: Problem | null = retry ? { status, code: 'some_code', retry, title: '', detail: '' } : null;
  return { kind: 'answer', status, problem, retryAfter };
}

const noAnswer: AttemptOutcome = { kind: 'no_answer' };
const policies = fc.record({
  attemptsMax: fc.integer({ min: 1, max: 20 }),
  baseDelayMs: fc.integer({ min: 0, max: 10_000 }),
  capDelayMs: fc.integer({ min: 0, max: 60_000 }),
  budgetMs: fc.integer({ min: 0, max: 600_000 }),
  attemptTimeoutMs: fc.integer({ min: 1, max: 60_000 }),
});
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('without a verdict', () => {
  test.each([408, 409, 425, 429, 500, 502, 503, 504])('%i may go again with the same key', (status) => {
    expect(decide(answer(status))).toEqual({ kind: 'again', delayMs: 250 });
  });

  test('no answer at all may go again with the same key', () => {
    expect(decide(noAnswer)).toEqual({ kind: 'again', delayMs: 250 });
  });

  test('every other 4xx stops', () => {
    const statuses = fc
      .integer({ min: 400, max: 499 })
      .filter((status) => ![408, 409, 425, 429].includes(status));
    fc.assert(
      fc.property(statuses, (status) => {
        expect(decide(answer(status))).toEqual({ kind: 'stop' });
      }),
    );
  });

  test('no 5xx and no redirect ever stops: somebody on the way may have made it up', () => {
    const statuses = fc.oneof(fc.integer({ min: 500, max: 599 }), fc.integer({ min: 300, max: 399 }));
    fc.assert(
      fc.property(statuses, (status) => {
        expect(decide(answer(status)).kind).toBe('again');
      }),
    );
  });

  test('every 2xx is final but 202, whose outcome is not known yet', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 299 }), (status) => {
        expect(decide(answer(status)).kind).toBe(status === 202 ? 'ask' : 'final');
      }),
    );
  });
});

test('the verdict of the server comes before the status', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 400, max: 599 }),
      fc.constantFrom<RetryVerdict>('never', 'same_key', 'new_key'),
      (status, retry) => {
        expect(decide(answer(status, retry)).kind).toBe(retry === 'same_key' ? 'again' : 'stop');
      },
    ),
  );
});

test('the delay is the random share of min(cap, base · 2^n), n from 0', () => {
  fc.assert(
    fc.property(policies, fc.integer({ min: 1, max: 40 }), randoms, (limits, attempt, share) => {
      const policy = { ...limits, attemptsMax: 100, budgetMs: Number.POSITIVE_INFINITY };
      const window = Math.min(policy.capDelayMs, policy.baseDelayMs * 2 ** (attempt - 1));
      const decision = decide(noAnswer, { policy, attempt, random: () => share });
      expect(decision).toEqual({ kind: 'again', delayMs: share * window });
    }),
  );
});

test('the delay is never less than Retry-After, in seconds or as a date', () => {
  const policy = { ...DEFAULT_RETRY_POLICY, budgetMs: Number.POSITIVE_INFINITY };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), randoms, fc.boolean(), (seconds, share, asDate) => {
      const header = asDate ? new Date(NOW_MS + seconds * 1000).toUTCString() : String(seconds);
      const decision = decide(answer(503, undefined, header), { policy, random: () => share });
      expect(decision).toEqual({ kind: 'again', delayMs: Math.max(seconds * 1000, share * 500) });
    }),
  );
});

test('a Retry-After that cannot be read or is over changes nothing', () => {
  const garbage = fc.constantFrom('', 'soon', '-1', '1.5', 'NaN', new Date(NOW_MS - 1000).toUTCString());
  fc.assert(
    fc.property(garbage, (header) => {
      expect(decide(answer(503, undefined, header))).toEqual({ kind: 'again', delayMs: 250 });
    }),
  );
});

test('nothing goes again after the last attempt or outside the budget: then it asks', () => {
  fc.assert(
    fc.property(
      policies,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 700_000 }),
      randoms,
      (policy, attempt, elapsedMs, share) => {
        const decision = decide(noAnswer, { policy, attempt, elapsedMs, random: () => share });
        if (decision.kind === 'again') {
          expect(attempt).toBeLessThan(policy.attemptsMax);
          expect(elapsedMs + decision.delayMs).toBeLessThan(policy.budgetMs);
        } else {
          expect(decision).toEqual({ kind: 'ask' });
        }
      },
    ),
  );
});

test('a Retry-After beyond the budget asks instead of waiting for it', () => {
  expect(decide(answer(503, 'same_key', '30'))).toEqual({ kind: 'ask' });
  expect(decide(answer(503, 'same_key', '29'))).toEqual({ kind: 'again', delayMs: 29_000 });
});
