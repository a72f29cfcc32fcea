import { createIntentStore, type Intent } from '@pay-once/idempotency-client';

const intents = createIntentStore();

/** Under what the intention to pay an order is kept in this browser, for all its tabs. */
export function paymentSubject(orderId: string): string {
  return `order:${orderId}`;
}

/** The intention to pay the order that has no final answer yet; undefined when there is none, or it is too old. */
export function unfinishedPayment(orderId: string): Intent | undefined {
  const found = intents.read(paymentSubject(orderId));
  return found.kind === 'open' ? found.intent : undefined;
}

/** Calls the listener when another tab begins or ends a payment. Returns the function that ends it. */
export function onPaymentIntent(listener: () => void): () => void {
  return intents.subscribe(listener);
}
