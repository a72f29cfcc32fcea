import { PROBLEMS, type Problem, type ProblemCode } from '@pay-once/contracts';

/** Thrown for a request that cannot be served. Thrown inside a keyed transaction it leaves the key unused. */
export class ProblemError extends Error {
  constructor(
    readonly code: ProblemCode,
    /** For the caller to read. Never holds a key, a body or another request's data. */
    readonly detail: string,
    readonly extra: { paymentId?: string; retryAfterSeconds?: number } = {},
  ) {
    super(`${code}: ${detail}`);
    this.name = 'ProblemError';
  }
}

/** When trying again makes sense after the server itself, or its database, was the trouble. */
const UNAVAILABLE_RETRY_SECONDS = 1;

export function unavailable(detail: string): ProblemError {
  return new ProblemError('unavailable', detail, { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
}

/** The body of a problem. `type` is relative, so that a stored problem is right under every name of this server. */
export function problemBody(error: ProblemError, requestId: string): Problem {
  const { status, title, retry } = PROBLEMS[error.code];
  return {
    type: `/problems/${error.code}`,
    title,
    status,
    detail: error.detail,
    code: error.code,
    retry,
    requestId,
    ...(error.extra.paymentId !== undefined && { paymentId: error.extra.paymentId }),
  };
}
