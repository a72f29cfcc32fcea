import type { AnsweredHow } from '@pay-once/idempotency-client/react';

/** What the checkout hands to the order page: how it learned that the order is paid. */
export interface Arrival {
  how: AnsweredHow;
  /** The request was refused because its key belonged to another one; the payment found is the first one's. */
  keyReused: boolean;
}

/** Reads it from the history entry, which survives a reload and may hold anything. */
export function readArrival(historyState: unknown): Arrival | undefined {
  if (typeof historyState !== 'object' || historyState === null || !('how' in historyState)) return undefined;
  return historyState as Arrival;
}
