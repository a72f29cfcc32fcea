import { type Order, type Payment, PROBLEMS, type ProblemCode } from '@pay-once/contracts';
import type { IdempotentMutationOptions, Problem } from '@pay-once/idempotency-client/react';
import { getOrder } from '../orders/orders.api';
import { awaitsPerson, chargesOf } from '../orders/payment-facts';

export function paymentsUrl(orderId: string): string {
  return `/api/orders/${orderId}/payments`;
}

/**
 * Looks at the order instead of sending anything: whatever became of a request, this is what the server knows. That a
 * person has to find out is final, too.
 */
export function askForPayment(orderId: string): IdempotentMutationOptions<Payment>['ask'] {
  return async (_signal, location) => {
    const order = await getOrder(orderId);
    const answer = chargesOf(order)[0] ?? awaitsPerson(order);
    if (answer) return { kind: 'final', answer };
    if (order.status === 'paying') return { kind: 'processing' };
    // A decline says nothing of its key, and another device may have paid meanwhile. Only that of the payment which the
    // server named to this key is surely of this intention; after any other the same key is offered again, and the
    // server repeats what it answered.
    const declined = declineOf(order, location);
    return declined ? { kind: 'refused', problem: declined } : { kind: 'absent' };
  };
}

function declineOf(order: Order, location: string | null): Problem | undefined {
  const payment = order.payments.find(
    ({ id, status }) => status === 'declined' && location === `/api/payments/${id}`,
  );
  if (!payment) return undefined;
  const code: ProblemCode = payment.method.type === 'card' ? 'card_declined' : 'balance_insufficient';
  return { ...PROBLEMS[code], code, detail: '' };
}
