import type { Order, Payment } from '@pay-once/contracts';

/** The payments of an order that took money. */
export function chargesOf(order: Order): Payment[] {
  return order.payments.filter((payment) => payment.status === 'succeeded');
}
