import { type Continuation, type IdempotencyService, RecoveryError } from '@pay-once/idempotency-server';
import type { Logger } from 'pino';

/**
 * Goes on with what was left unfinished, batch after batch as long as that gets somewhere: the next are not kept
 * waiting, whatever becomes of one of them. Why one could not be gone on with is logged under its operation id.
 */
export async function recoverUnfinished(
  idempotency: IdempotencyService,
  continuations: Record<string, Continuation<unknown>>,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  let isGettingSomewhere = true;
  while (isGettingSomewhere && !signal.aborted) {
    const outcomes = await idempotency.recover(continuations).catch((error: unknown) => {
      if (!(error instanceof RecoveryError)) throw error;
      for (const { operationId, cause } of error.errors) {
        log.error(
          { operationId, reason: String(cause) },
          'an unfinished operation could not be gone on with',
        );
      }
      return error.outcomes;
    });
    isGettingSomewhere = outcomes.some(({ kind }) => kind === 'completed');
  }
}
