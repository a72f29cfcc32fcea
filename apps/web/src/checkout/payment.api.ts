import { type Order, type Payment, PROBLEMS, type ProblemCode } from '@pay-once/contracts';
import type { AskAnswer, Problem } from '@pay-once/idempotency-client/react';
import { getOrder } from '../orders/orders.api';
import { awaitsPerson, chargesOf } from '../orders/payment-facts';
import { unfinishedPayment } from '../orders/unfinished-payment';

export function paymentsUrl(orderId: string): string {
  return `/api/orders/${orderId}/payments`;
}

/**
 * Looks at the order instead of sending anything: whatever became of a request, this is what the server knows. That a
 * person has to find out is final, too.
 */
export function createPaymentAsk(orderId: string): () => Promise<AskAnswer<Payment>> {
  /** The payment that was seen being processed, and the key that was open then. */
  let seen: { paymentId: string; key: string } | undefined;

  return async () => {
    const order = await getOrder(orderId);
    const answer = chargesOf(order)[0] ?? awaitsPerson(order);
    if (answer) return { kind: 'final', answer };
    const key = unfinishedPayment(orderId)?.key;
    const processing = order.payments.find((payment) => payment.status === 'processing');
    if (processing && key) seen = { paymentId: processing.id, key };
    if (order.status === 'paying') return { kind: 'processing' };
    // A decline says nothing of its key. Only one that was seen before it was one is surely of this intention; after
    // any other the same key is offered again, and the server repeats what it answered.
    const declined = seen && seen.key === key ? declineOf(order, seen.paymentId) : undefined;
    return declined ? { kind: 'refused', problem: declined } : { kind: 'absent' };
  };
}

function declineOf(order: Order, paymentId: string): Problem | undefined {
  const payment = order.payments.find(({ id, status }) => id === paymentId && status === 'declined');
  if (!payment) return undefined;
  const code: ProblemCode = payment.method.type === 'card' ? 'card_declined' : 'balance_insufficient';
  return { ...PROBLEMS[code], code, detail: '' };
}
