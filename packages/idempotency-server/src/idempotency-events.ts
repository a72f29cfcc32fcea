import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';

/** The `node:diagnostics_channel` on which everything that happens to a key is published, as `IdempotencyEvent`. */
export const IDEMPOTENCY_CHANNEL = 'idempotency';

/** One thing that happened. Never holds a key or a body, so that an observer cannot log one by mistake. */
export interface IdempotencyEvent {
  /**
   * `claimed`: an attempt owns a new key and does its work now; `expired_key_reused`: the same, for a key whose
   * retention is over. After either comes one of `completed`, `released` (rolled back, the key is unused),
   * `unfinished` (in phases: outside is not known yet, or the attempt broke off; somebody goes on with it later) and
   * `unknown` (the answer to COMMIT was lost).
   *
   * `taken_over`: an attempt goes on with what another left unfinished; after it comes one of the same. An owner that
   * was taken over ends as one of those below.
   *
   * `replayed`, `in_progress_hit`, `fingerprint_mismatch`: an attempt met another one's record and did nothing.
   */
  event:
    | 'claimed'
    | 'expired_key_reused'
    | 'completed'
    | 'released'
    | 'unfinished'
    | 'taken_over'
    | 'unknown'
    | 'replayed'
    | 'in_progress_hit'
    | 'fingerprint_mismatch'
    | 'swept';
  operation?: string;
  operationId?: string;
  tenantId?: string;
  /** How many records were swept. */
  count?: number;
}

const events = channel(IDEMPOTENCY_CHANNEL);

export function publish(event: IdempotencyEvent): void {
  if (events.hasSubscribers) events.publish(event);
}

/**
 * Calls `observer` with every event from now on, and returns the function that ends this. It runs in the middle of
 * a payment, so it should be quick; what it throws or rejects with becomes a process warning and nothing else.
 *
 * A plain `subscribe` on the channel has no such net: Node makes an uncaught exception of what a subscriber throws,
 * which ends the process, and with it every payment under way.
 */
export function observeIdempotency(observer: (event: IdempotencyEvent) => void | Promise<void>): () => void {
  async function subscriber(message: unknown): Promise<void> {
    try {
      await observer(message as IdempotencyEvent);
    } catch (error) {
      process.emitWarning('An observer of idempotency events failed.', { detail: inspect(error) });
    }
  }
  subscribe(IDEMPOTENCY_CHANNEL, subscriber);
  return () => void unsubscribe(IDEMPOTENCY_CHANNEL, subscriber);
}
