import type { Payment } from '@pay-once/contracts';
import type { KeyedMutationState } from '@pay-once/idempotency-client/react';

export type WaitingFor = 'sending' | 'in_progress' | 'resuming' | 'receipt' | 'person';

/** What a press waits for until another page takes the checkout's place; `undefined`: nothing is going on. */
export function waitingFor(state: KeyedMutationState<Payment>): WaitingFor | undefined {
  switch (state.kind) {
    case 'idle':
    case 'offline':
    case 'refused':
    case 'unknown':
      return undefined;
    case 'succeeded':
      // A final answer need not be a charge.
      return state.answer.status === 'succeeded' ? 'receipt' : 'person';
    case 'sending':
    case 'in_progress':
    case 'resuming':
      return state.kind;
  }
}
