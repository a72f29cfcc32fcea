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
  /**
   * How long the owner of a command in phases may be silent before another attempt or the recovery takes over, by the
   * database's clock. Longer than asking outside ever takes: `ask` is told to stop by then. Default 15 seconds.
   */
  leaseMs: number;
  /** How often a transaction that the database ended for a deadlock (40P01) or a conflict (40001) is run. Default 3. */
  runsMax: number;
  /** The most records one sweep deletes in one statement. Default 1000. */
  sweepBatchMax: number;
  /** The most unfinished commands that one recovery takes over, all at the same time. Default 10. */
  recoveryBatchMax: number;
  /** The longest pause before the recovery asks about one command again; it grows with its age. Default 1 minute. */
  recoveryPauseMaxMs: number;
}

export const DEFAULT_IDEMPOTENCY_OPTIONS: IdempotencyOptions = {
  retentionMs: 24 * 60 * 60 * 1000,
  lockTimeoutMs: 2_000,
  statementTimeoutMs: 5_000,
  idleTimeoutMs: 10_000,
  leaseMs: 15_000,
  runsMax: 3,
  sweepBatchMax: 1_000,
  recoveryBatchMax: 10,
  recoveryPauseMaxMs: 60_000,
};

/** Injection token of the complete options. */
export const IDEMPOTENCY_OPTIONS = Symbol('idempotency options');
