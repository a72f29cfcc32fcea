import type { Problem } from './problem.js';

/** How patient a client is. All durations are in milliseconds. */
export interface RetryPolicy {
  /** Attempts of one press, the first included. */
  attemptsMax: number;
  baseDelayMs: number;
  capDelayMs: number;
  /** From the press to the last moment anything is sent or waited for; then the server is asked instead. */
  budgetMs: number;
  /** One attempt, from sending it to its answer's last byte. */
  attemptTimeoutMs: number;
}

export const DEFAULT_RETRY_POLICY: Readonly<RetryPolicy> = {
  // What a fourth attempt cannot settle is an outage, and asking costs the server less than sending.
  attemptsMax: 4,
  // A lost packet or a restarting process is usually over within half a second to a few seconds.
  baseDelayMs: 500,
  capDelayMs: 8_000,
  // A person looks at a waiting text for about half a minute before doing something else.
  budgetMs: 30_000,
  // Longer than a slow payment and than the ten seconds after which a page offers to leave; half of the budget.
  attemptTimeoutMs: 15_000,
};

/** What an attempt came to. `no_answer`: nothing arrived, or nothing that can be read as this server's answer. */
export type AttemptOutcome =
  | { kind: 'no_answer' }
  | { kind: 'answer'; status: number; problem: Problem | null; retryAfter: string | null };

export type RetryDecision =
  /** A success: the intention is done. */
  | { kind: 'final' }
  /** A refusal: sending it again would not help. */
  | { kind: 'stop' }
  | { kind: 'again'; delayMs: number }
  /** Nobody can tell yet, and enough was sent: ask for the state of the thing. */
  | { kind: 'ask' };

export interface Attempted {
  outcome: AttemptOutcome;
  /** 1 for the first attempt. */
  attempt: number;
  /** Since the press. */
  elapsedMs: number;
  policy: RetryPolicy;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Milliseconds since 1970, to read a `Retry-After` that is a date. */
  nowMs: number;
}

/** Answers without a problem body that do not say that nothing happened: the same key may go again. */
const AGAIN_STATUSES = new Set([408, 409, 425, 429]);

/** Decides what follows an attempt. Pure: the same arguments give the same decision. */
export function decideAfterAttempt(attempted: Attempted): RetryDecision {
  const { outcome, attempt, elapsedMs, policy, random, nowMs } = attempted;
  const meaning = meaningOf(outcome);
  if (meaning !== 'again') return { kind: meaning };
  const retryAfter = outcome.kind === 'answer' ? outcome.retryAfter : null;
  const delayMs = Math.max(fullJitterMs(policy, attempt - 1, random), retryAfterMs(retryAfter, nowMs));
  const spent = attempt >= policy.attemptsMax || elapsedMs + delayMs >= policy.budgetMs;
  return spent ? { kind: 'ask' } : { kind: 'again', delayMs };
}

function meaningOf(outcome: AttemptOutcome): RetryDecision['kind'] {
  if (outcome.kind === 'no_answer') return 'again';
  const { status, problem } = outcome;
  if (status === 202) return 'ask';
  if (status >= 200 && status < 300) return 'final';
  // The server's own verdict comes before any reading of the status.
  if (problem) return problem.retry === 'same_key' ? 'again' : 'stop';
  if (status >= 400 && status < 500 && !AGAIN_STATUSES.has(status)) return 'stop';
  return 'again';
}

/** Uniform in [0, min(cap, base · 2^n)], so that clients that failed together do not come back together. */
function fullJitterMs(policy: RetryPolicy, n: number, random: () => number): number {
  return random() * Math.min(policy.capDelayMs, policy.baseDelayMs * 2 ** n);
}

/** `Retry-After` in seconds or as an HTTP date; 0 when there is none, it is over, or it cannot be read. */
function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
