import type { Order, Payment, Refund } from '@pay-once/contracts';

/** The payments of an order that took money. */
export function chargesOf(order: Order): Payment[] {
  return order.payments.filter((payment) => payment.status === 'succeeded');
}

/** The payments of an order that were declined: none of them took money. */
export function declinesOf(order: Order): Payment[] {
  return order.payments.filter((payment) => payment.status === 'declined');
}

/** The payment whose outcome no machine will find out. */
export function awaitsPerson(order: Order): Payment | undefined {
  return order.payments.find((payment) => payment.status === 'needs_review');
}

/** The card payment that came last, when it was declined and the order still waits to be paid. */
export function lastDecline(order: Order): Payment | undefined {
  const last = order.payments.at(-1);
  return order.status === 'unpaid' && last?.status === 'declined' && last.method.type === 'card'
    ? last
    : undefined;
}

export function refundsOf(order: Order, payment: Payment): Refund[] {
  return order.refunds.filter((refund) => refund.paymentId === payment.id);
}

/** What was given back of all that the order was charged, in minor units. */
export function refundedMinor(order: Order): number {
  return sumOf(order.refunds.filter((refund) => refund.status === 'succeeded'));
}

/** What of the payment can still be given back, in minor units: an unsettled refund has set its amount aside. */
export function refundableMinor(order: Order, payment: Payment): number {
  const taken = refundsOf(order, payment).filter((refund) => refund.status !== 'declined');
  return payment.amountMinor - sumOf(taken);
}

export function isRefundBeingMade(order: Order): boolean {
  return order.refunds.some((refund) => refund.status === 'processing');
}

function sumOf(refunds: Refund[]): number {
  return refunds.reduce((sum, refund) => sum + refund.amountMinor, 0);
}
