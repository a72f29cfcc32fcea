import { PROBLEMS, type ProblemCode, type RetryVerdict } from '@pay-once/contracts';

/** A problem of the contract, or `no_answer` when nothing that we can read came back. */
export type ErrorCode = ProblemCode | 'no_answer';

/** The one error of the transport. What it means for the page is for the page to say. */
export class ProblemError extends Error {
  override name = 'ProblemError';

  constructor(readonly code: ErrorCode) {
    super(code);
  }

  /** May the same request be sent again? */
  get retry(): RetryVerdict {
    return this.code === 'no_answer' ? 'same_key' : PROBLEMS[this.code].retry;
  }
}

/** Longer than the server holds any request of these; after that no answer will come. */
const requestTimeoutMs = 15_000;

/**
 * Sends one request to the API and gives its JSON (nothing for 204).
 * @throws {ProblemError} for every other end.
 */
export async function request<Answer>(
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`/api${path}`, {
    method,
    signal: AbortSignal.timeout(requestTimeoutMs),
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ProblemError('no_answer');
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.status === 204) return undefined as Answer;
  if (response.ok && answer !== undefined) return answer as Answer;
  throw new ProblemError(codeOf(answer));
}

function codeOf(answer: unknown): ErrorCode {
  const code = typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : undefined;
  return typeof code === 'string' && isProblemCode(code) ? code : 'no_answer';
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
