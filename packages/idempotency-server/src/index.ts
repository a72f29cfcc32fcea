export { type JsonValue, type KeyedCommand, operationIdOf, requestFingerprint } from './command.js';
export { IdempotencyRecords1780000000000 } from './idempotency.migration.js';
export { IdempotencyModule } from './idempotency.module.js';
export type { IdempotencyOptions } from './idempotency.options.js';
export { IdempotencyService, type Work } from './idempotency.service.js';
export { IdempotencySweeper } from './idempotency.sweeper.js';
export { IDEMPOTENCY_CHANNEL, type IdempotencyEvent, observeIdempotency } from './idempotency-events.js';
export {
  KEY_LENGTH_MAX,
  type ParsedKey,
  parseIdempotencyKey,
  readIdempotencyKey,
} from './idempotency-key.js';
export { type Answer, type Outcome, type PhasesOutcome, STORED_BODY_BYTES_MAX } from './outcome.js';
export type { Asking, Continuation, Operation, Phases } from './phases.js';
export { RecoveryError, UnfinishedError } from './recovery-error.js';
export { CommitUnknownError } from './transaction.js';
