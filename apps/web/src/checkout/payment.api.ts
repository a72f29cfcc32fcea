import type { Payment } from '@pay-once/contracts';
import type { AskAnswer } from '@pay-once/idempotency-client/react';
import { chargesOf } from '../orders/charges';
import { getOrder } from '../orders/orders.api';

export function paymentsUrl(orderId: string): string {
  return `/api/orders/${orderId}/payments`;
}

/** Looks at the order instead of sending anything: whatever became of a request, this is what the server knows. */
export async function askForPayment(orderId: string): Promise<AskAnswer<Payment>> {
  const order = await getOrder(orderId);
  const [charge] = chargesOf(order);
  if (charge) return { kind: 'final', answer: charge };
  return { kind: order.status === 'unpaid' ? 'absent' : 'processing' };
}

/** The answer of a payment that succeeded is the payment. */
export function readPayment(body: unknown): Payment {
  return body as Payment;
}
