import type { Problem } from './problem.js';

/**
 * What a final refusal proves about the intention, and so what becomes of the intent:
 *
 * | refusal | first attempt of a new intent | an earlier attempt may have run |
 * | --- | --- | --- |
 * | 401, 403: who is asking is not settled | `keep` | `ask` |
 * | another 4xx with verdict `new_key`: stored by the server as this key's outcome | `remove` | `remove` |
 * | 422: the key or the command does not fit what the server knows | `ask` | `ask` |
 * | another 4xx with verdict `never` | `remove` | `ask` |
 * | 4xx without a problem body: a proxy may have spoken | `ask` | `ask` |
 * | 5xx, whatever its verdict | `ask` | `ask` |
 *
 * `remove`: nothing happened and nothing will; the next press is a new key. `keep`: nothing happened; the next press
 * sends the same key. `ask`: unknown until the server was asked for the state of the thing. When it then knows of
 * nothing, the intent is removed, except after 401 and 403.
 *
 * "May have run" counts every earlier attempt that did not end the intention, and every attempt before a reload: a
 * refusal of this attempt says nothing about those, the money may have moved.
 */
export function judgeRefusal(refusal: {
  status: number;
  problem: Problem | null;
  earlierMayHaveRun: boolean;
}): 'remove' | 'keep' | 'ask' {
  const { status, problem, earlierMayHaveRun } = refusal;
  if (status >= 500 || status === 422 || problem === null) return 'ask';
  if (isAboutIdentity(status)) return earlierMayHaveRun ? 'ask' : 'keep';
  if (problem.retry === 'new_key') return 'remove';
  return earlierMayHaveRun ? 'ask' : 'remove';
}

/** A refusal of the caller, not of the command: signing in again can make the same intent succeed. */
export function isAboutIdentity(status: number): boolean {
  return status === 401 || status === 403;
}
