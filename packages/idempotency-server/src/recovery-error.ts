import type { PhasesOutcome } from './outcome.js';

/** One command that a recovery could not go on with. It is unfinished still, and comes up again later. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';

  constructor(
    readonly operationId: string,
    cause: unknown,
  ) {
    super(`Operation ${operationId} could not be gone on with.`, { cause });
  }
}

/** What a recovery rejects with when it could not go on with every command: which and why, and how the others ended. */
export class RecoveryError extends AggregateError {
  override readonly name = 'RecoveryError';
  declare readonly errors: UnfinishedError[];

  constructor(
    errors: UnfinishedError[],
    readonly outcomes: PhasesOutcome[],
  ) {
    super(errors, 'Some commands could not be gone on with.');
  }
}
