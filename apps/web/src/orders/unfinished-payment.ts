import { createIntentStore } from '@pay-once/idempotency-client';

const intents = createIntentStore();

/** Under what the intention to pay an order is kept in this browser, for all its tabs. */
export function paymentSubject(orderId: string): string {
  return `order:${orderId}`;
}

/** Whether this browser has begun to pay the order and has no final answer: "unpaid" is then not the whole truth. */
export function hasUnfinishedPayment(orderId: string): boolean {
  return intents.read(paymentSubject(orderId)).kind === 'open';
}
