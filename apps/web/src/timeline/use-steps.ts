import type { Money, Order, Payment } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';

/** One thing that the server recorded. `amount`: the money that it is about. */
interface Step {
  id: string;
  /** ISO 8601, in UTC. */
  at: string;
  says: string;
  amount?: Money;
}

/** Puts everything that was recorded for an order into words, the oldest first. */
export function useSteps(): (order: Order) => Step[] {
  const t = useTranslations();

  const methodOf = ({ method }: Payment) =>
    method.type === 'card'
      ? t('order.methodCard', { card: t(`card.${method.card}`) })
      : t('order.methodBalance');

  return (order) => {
    const steps: Step[] = [
      { id: order.number, at: order.createdAt, says: t('timeline.ordered'), amount: order },
      ...order.payments.map((payment) => ({
        id: payment.id,
        at: payment.createdAt,
        says: t(`timeline.${payment.status}`, { method: methodOf(payment) }),
        amount: payment,
      })),
      ...order.refunds.map((refund) => ({
        id: refund.id,
        at: refund.createdAt,
        says: t('timeline.refund', { status: t(`refundStatus.${refund.status}`) }),
        amount: refund,
      })),
      ...order.tickets.map(({ id, issuedAt }) => ({ id, at: issuedAt, says: t('timeline.ticket') })),
    ];
    return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  };
}
