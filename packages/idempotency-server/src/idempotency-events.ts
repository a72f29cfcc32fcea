import { channel } from 'node:diagnostics_channel';

/** The `node:diagnostics_channel` on which everything that happens to a key is published, as `IdempotencyEvent`. */
export const IDEMPOTENCY_CHANNEL = 'idempotency';

/** One thing that happened. Never holds a key or a body, so that a listener cannot log one by mistake. */
export interface IdempotencyEvent {
  event:
    | 'claimed'
    | 'replayed'
    | 'in_progress_hit'
    | 'fingerprint_mismatch'
    | 'expired_key_reused'
    | 'completed'
    | 'released'
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
