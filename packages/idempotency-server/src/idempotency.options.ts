/** Each option with its default; all times are in milliseconds. */
export interface IdempotencyOptions {
  /**
   * How long a completed record is kept, by the database's clock. At least as long as any client retries:
   * after it the same key is a new command. Default 24 hours.
   */
  retentionMs: number;
  /** How long a statement of a keyed transaction waits for a row lock before it gives up. Default 2 seconds. */
  lockTimeoutMs: number;
  /** How long one statement of a keyed transaction may run. Default 5 seconds. */
  statementTimeoutMs: number;
  /** How long the work may let its transaction sit idle before Postgres ends it, as with a paused process. Default 10 seconds. */
  idleTimeoutMs: number;
  /** How often a transaction that the database ended for a deadlock (40P01) or a conflict (40001) is run. Default 3. */
  runsMax: number;
  /** The most records one sweep deletes in one statement. Default 1000. */
  sweepBatchMax: number;
}

export const DEFAULT_IDEMPOTENCY_OPTIONS: IdempotencyOptions = {
  retentionMs: 24 * 60 * 60 * 1000,
  lockTimeoutMs: 2_000,
  statementTimeoutMs: 5_000,
  idleTimeoutMs: 10_000,
  runsMax: 3,
  sweepBatchMax: 1_000,
};

/** Injection token of the complete options. */
export const IDEMPOTENCY_OPTIONS = Symbol('idempotency options');
