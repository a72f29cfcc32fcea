import type { Order, PaymentMethod, ProblemCode } from '@pay-once/contracts';

/** Why a plain page is shown: a problem with the form, and how often the page has looked since. */
export interface PlainReason {
  problem: ProblemCode | undefined;
  looks: number;
}

/** After these a payment may still be under way although its order says unpaid: it is not committed yet. */
export const MAY_BE_UNDER_WAY: ReadonlySet<ProblemCode | undefined> = new Set([
  'internal',
  'order_being_paid',
  'request_in_progress',
  'unavailable',
]);

/** What a press of the form was told, and is no contradiction to the receipt. */
const STILL_TRUE_WHEN_PAID: ReadonlySet<ProblemCode | undefined> = new Set([
  'idempotency_key_reused',
  'order_already_paid',
  'unauthenticated',
]);

/** Anybody can write an address: its problem is said only when the order, if there is one, allows it. */
export function saidOf(order: Order | undefined, { problem }: PlainReason): ProblemCode | undefined {
  return isContradicted(order, problem) ? undefined : problem;
}

function isContradicted(order: Order | undefined, problem: ProblemCode | undefined): boolean {
  if (order?.status === 'paid') return !STILL_TRUE_WHEN_PAID.has(problem);
  switch (problem) {
    case 'order_already_paid':
      return true;
    case 'card_declined':
      return !wasDeclined(order, 'card');
    case 'balance_insufficient':
      return !wasDeclined(order, 'balance');
    default:
      return false;
  }
}

/** An old page may be pressed again and is told its old decline, also when another one came after it. */
function wasDeclined(order: Order | undefined, type: PaymentMethod['type']): boolean {
  return order?.payments.some(({ status, method }) => status === 'declined' && method.type === type) ?? false;
}
