export type { FetchLike } from './attempt.js';
export * from './idempotency-key.js';
export * from './idempotent-fetch.js';
export * from './intent-store.js';
export * from './keyed-mutation.js';
export * from './problem.js';
export * from './refusal.js';
export * from './retry-policy.js';
