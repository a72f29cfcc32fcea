import { type AttemptResult, type FetchLike, sendAttempt } from './attempt.js';
import type { IntentStore } from './intent-store.js';
import { type Problem, problemWithoutBody } from './problem.js';
import { judgeRefusal } from './refusal.js';
import { DEFAULT_RETRY_POLICY, decideAfterAttempt, type RetryPolicy } from './retry-policy.js';
import { wait } from './wait.js';

export interface IdempotentFetchOptions {
  url: string;
  /** What the intent is for, such as `order:<id>`. One subject has one intent at a time. */
  subject: string;
  operation: string;
  /** The JSON text to send; an unfinished intent of the subject goes first, with its own body. */
  body: string;
  store: IntentStore;
  headers?: Record<string, string> | undefined;
  policy?: Partial<RetryPolicy> | undefined;
  fetch?: FetchLike | undefined;
  /** Makes the result's `body` of a success. When it throws, that was not this server's word, and the key goes again. */
  readAnswer?: ((body: unknown) => unknown) | undefined;
  /** Ends the sending, not the intention: the intent stays. */
  signal?: AbortSignal | undefined;
  /** Called when an attempt ended without this server's word and another one follows: from here on it is unknown. */
  onUnanswered?: (() => void) | undefined;
  /** Uniform in [0, 1). */
  random?: (() => number) | undefined;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

export type IdempotentFetchResult =
  /** A success. The intent is gone. */
  | { kind: 'answered'; status: number; body: unknown; replayed: boolean; location: string | null }
  /** A refusal that proves that nothing happened. `kept`: whoever asks has to sign in, then the same key can go. */
  | { kind: 'refused'; problem: Problem; intent: 'removed' | 'kept' }
  /** The server has it and has not finished. The intent stays. `location`: where a 202 said that its outcome will be. */
  | { kind: 'processing'; location: string | null }
  /** Nobody can tell yet. The intent stays; ask for the state of the thing. */
  | { kind: 'unknown'; why: 'no_final_answer' | 'stale' | 'aborted' }
  | { kind: 'unknown'; why: 'unproven_refusal'; problem: Problem }
  /** The browser is offline: nothing left it. `kept`: an intent from before is still there. */
  | { kind: 'not_sent'; intent: 'none' | 'kept' };

/**
 * Sends one intention until it has a final answer or its budget is spent. The intent is stored before the first byte
 * leaves, and every attempt carries the same key and the same body. Never rejects: every end is a result.
 */
export async function idempotentFetch(options: IdempotentFetchOptions): Promise<IdempotentFetchResult> {
  const {
    url,
    subject,
    store,
    signal,
    fetch = globalThis.fetch,
    readAnswer = (body) => body,
    random = Math.random,
    now = Date.now,
  } = options;
  if (isOffline() || signal?.aborted) {
    return { kind: 'not_sent', intent: store.read(subject).kind === 'none' ? 'none' : 'kept' };
  }

  const { kind: begun, intent } = store.begin(subject, options);
  if (begun === 'stale') return { kind: 'unknown', why: 'stale' };
  const init = requestOf(intent.key, intent.body, options.headers);

  const startedAtMs = now();
  const policy = { ...DEFAULT_RETRY_POLICY, ...options.policy };
  // The server may forget the key when it expires, so no attempt may leave later.
  policy.budgetMs = Math.min(policy.budgetMs, Date.parse(intent.expiresAt) - startedAtMs);

  for (let attempt = 1; ; attempt += 1) {
    const leftMs = policy.budgetMs - (now() - startedAtMs);
    // A laptop that was closed during the wait opens with its budget spent.
    if (leftMs <= 0) return { kind: 'unknown', why: 'no_final_answer' };
    const timeoutMs = Math.min(policy.attemptTimeoutMs, leftMs);
    const outcome = await sendAttempt({ url, init, timeoutMs, signal, fetch, readAnswer });
    if (outcome.kind === 'answer' && outcome.keyExpiresInMs !== null) {
      store.keepUntil(subject, intent.key, now() + outcome.keyExpiresInMs);
    }

    const elapsedMs = now() - startedAtMs;
    const decision = decideAfterAttempt({ outcome, attempt, elapsedMs, policy, random, nowMs: now() });
    if (decision.kind !== 'again') {
      const earlierMayHaveRun = begun === 'found' || attempt > 1;
      const result = conclude(decision.kind, outcome, earlierMayHaveRun);
      const isDone = result.kind === 'answered' || (result.kind === 'refused' && result.intent === 'removed');
      if (isDone) store.finish(subject, intent.key);
      return result;
    }
    if (outcome.kind === 'no_answer' || outcome.status >= 500) options.onUnanswered?.();
    await wait(decision.delayMs, signal);
    if (signal?.aborted) return { kind: 'unknown', why: 'aborted' };
  }
}

function conclude(
  decision: 'final' | 'stop' | 'ask',
  outcome: AttemptResult,
  earlierMayHaveRun: boolean,
): IdempotentFetchResult {
  if (outcome.kind === 'no_answer') return { kind: 'unknown', why: 'no_final_answer' };
  const { status, body, replayed, location } = outcome;
  switch (decision) {
    case 'final':
      return { kind: 'answered', status, body, replayed, location };
    case 'ask':
      return status === 202 || status === 409
        ? { kind: 'processing', location: status === 202 ? location : null }
        : { kind: 'unknown', why: 'no_final_answer' };
    case 'stop': {
      const problem = outcome.problem ?? problemWithoutBody(status);
      const verdict = judgeRefusal({ status, problem: outcome.problem, earlierMayHaveRun });
      if (verdict === 'ask') return { kind: 'unknown', why: 'unproven_refusal', problem };
      return { kind: 'refused', problem, intent: verdict === 'remove' ? 'removed' : 'kept' };
    }
  }
}

function requestOf(key: string, body: string, extraHeaders: Record<string, string> | undefined): RequestInit {
  const headers = new Headers({ 'Content-Type': 'application/json', ...extraHeaders });
  headers.set('Idempotency-Key', key);
  // A redirect is not this server's answer, and following it would send the body elsewhere: `error` is no answer.
  // No `keepalive`: a request that outlives its page has nobody to retry it; the stored intent asks after a reload.
  return { method: 'POST', headers, body, credentials: 'same-origin', cache: 'no-store', redirect: 'error' };
}

function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false;
}
