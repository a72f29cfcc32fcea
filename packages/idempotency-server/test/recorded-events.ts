import { afterAll } from 'vitest';
import { type IdempotencyEvent, observeIdempotency } from '../src/idempotency-events.js';

/** Everything that was published since the test file began. */
export function recordEvents(): { all: IdempotencyEvent[]; of(tenantId: string): string[] } {
  const all: IdempotencyEvent[] = [];
  const stop = observeIdempotency((event) => void all.push(event));
  afterAll(stop);
  return {
    all,
    of: (tenantId) => all.filter((event) => event.tenantId === tenantId).map(({ event }) => event),
  };
}
