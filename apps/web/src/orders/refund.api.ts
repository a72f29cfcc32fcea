import { type CreateRefund, type Order, type Payment, PROBLEMS, type Refund } from '@pay-once/contracts';
import { createIntentStore, type Intent } from '@pay-once/idempotency-client';
import type { IdempotentMutationOptions } from '@pay-once/idempotency-client/react';
import { getOrder } from './orders.api';
import { refundsOf } from './payment-facts';

const intents = createIntentStore();

export function refundsUrl(paymentId: string): string {
  return `/api/payments/${paymentId}/refunds`;
}

/** Under what the intention to give money back is kept: the payment, and how many refunds it had when it began. */
export function refundSubject(paymentId: string, refundsBefore: number): string {
  return `refund:${paymentId}:${refundsBefore}`;
}

/** The number of the refund to go on with: one without a final answer, from before a reload, or else the next. */
export function refundNumber(order: Order, payment: Payment): number {
  const next = refundsOf(order, payment).length;
  for (let number = 0; number < next; number += 1) {
    if (unfinishedRefund(payment.id, number)) return number;
  }
  return next;
}

export function unfinishedRefund(paymentId: string, number: number): Intent | undefined {
  const found = intents.read(refundSubject(paymentId, number));
  return found.kind === 'open' ? found.intent : undefined;
}

/** The amount that a stored body asks for, in minor units; the storage may hold anything. */
export function readRefundAmount(body: string): number | undefined {
  try {
    const { amountMinor }: Partial<CreateRefund> = JSON.parse(body);
    return Number.isSafeInteger(amountMinor) ? amountMinor : undefined;
  } catch {
    return undefined;
  }
}

/** Looks whether the refund is there, among those that were not there when it began. */
export function askForRefund(payment: Payment, number: number): IdempotentMutationOptions<Refund>['ask'] {
  return async (_signal, location) => {
    const since = refundsOf(await getOrder(payment.orderId), payment).slice(number);
    const intent = unfinishedRefund(payment.id, number);
    const amountMinor = intent && readRefundAmount(intent.body);
    const wanted = since.filter((refund) => !intent || refund.amountMinor === amountMinor);
    const answer = wanted.find(({ status }) => status === 'succeeded' || status === 'needs_review');
    if (answer) return { kind: 'final', answer };
    if (wanted.some(({ status }) => status === 'processing')) return { kind: 'processing' };
    // A refusal says nothing of its key. Only that of the refund which the server named to this key is surely its own.
    const isDeclined = since.some(
      ({ id, status }) => status === 'declined' && location === `/api/refunds/${id}`,
    );
    const code = 'card_declined';
    return isDeclined
      ? { kind: 'refused', problem: { ...PROBLEMS[code], code, detail: '' } }
      : { kind: 'absent' };
  };
}
