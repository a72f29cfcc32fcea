/**
 * What a client may do after a problem: `never` send this request again, send it again with the
 * `same_key`, or make a `new_key` for another intention.
 */
export const retryVerdicts = ['never', 'same_key', 'new_key'] as const;
export type RetryVerdict = (typeof retryVerdicts)[number];

interface ProblemRow {
  status: number;
  title: string;
  retry: RetryVerdict;
}

/** Every problem of the API. The only place that ties code, status, title and retry verdict together. */
export const PROBLEMS = {
  idempotency_key_missing: { status: 400, title: 'Idempotency-Key is missing', retry: 'never' },
  idempotency_key_invalid: { status: 400, title: 'Idempotency-Key is not valid', retry: 'never' },
  request_invalid: { status: 400, title: 'The request is not valid', retry: 'never' },
  unauthenticated: { status: 401, title: 'Who is asking is not known', retry: 'never' },
  card_declined: { status: 402, title: 'The card was declined', retry: 'new_key' },
  balance_insufficient: { status: 402, title: 'The balance is not enough', retry: 'new_key' },
  not_found: { status: 404, title: 'There is nothing here', retry: 'never' },
  method_not_allowed: { status: 405, title: 'This address has no such method', retry: 'never' },
  request_in_progress: {
    status: 409,
    title: 'The first request with this key is still running',
    retry: 'same_key',
  },
  order_conflict: { status: 409, title: 'The order exists with other items', retry: 'never' },
  order_already_paid: { status: 409, title: 'The order is already paid', retry: 'never' },
  order_being_paid: { status: 409, title: 'The order is being paid', retry: 'same_key' },
  refund_conflict: { status: 409, title: 'The payment has other refunds than were seen', retry: 'never' },
  refund_exceeds_payment: { status: 409, title: 'More would be refunded than was paid', retry: 'never' },
  sold_out: { status: 409, title: 'There are not enough seats left', retry: 'never' },
  payload_too_large: { status: 413, title: 'The request is too large', retry: 'never' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported', retry: 'never' },
  idempotency_key_reused: { status: 422, title: 'The key belongs to another request', retry: 'never' },
  amount_mismatch: { status: 422, title: 'The amount is not what the order costs', retry: 'never' },
  rate_limited: { status: 429, title: 'Too many requests', retry: 'same_key' },
  internal: { status: 500, title: 'Something went wrong on our side', retry: 'same_key' },
  unavailable: { status: 503, title: 'The service is not available just now', retry: 'same_key' },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof PROBLEMS;

export const problemCodes = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';
