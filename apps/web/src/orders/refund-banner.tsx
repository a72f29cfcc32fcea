import type { Order } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';
import { useFormat } from '../language/language';
import { KeptNumber } from './needs-person';
import { chargesOf, refundedMinor } from './payment-facts';

/** The state of an order of which money was, or may have been, given back. What is not settled yet comes first. */
export function RefundBanner({ order }: { order: Order }) {
  const t = useTranslations();
  const format = useFormat();
  const unconfirmed = order.refunds.find((refund) => refund.status === 'needs_review');
  const underWay = order.refunds.find((refund) => refund.status === 'processing');
  if (unconfirmed) {
    return (
      <Notice
        tone="waiting"
        title={t('refund.needsPerson')}
        hint={t('refund.needsPersonHint', { amount: format.money(unconfirmed) })}
      >
        <KeptNumber number={unconfirmed.id} />
      </Notice>
    );
  }
  if (underWay) {
    return (
      <Notice
        tone="waiting"
        title={t('refund.processing', { amount: format.money(underWay) })}
        hint={t('refund.processingHint')}
      />
    );
  }
  const amount = format.money({ ...order, amountMinor: refundedMinor(order) });
  const isFull = refundedMinor(order) >= order.amountMinor;
  return (
    <Notice
      tone="done"
      title={
        isFull ? t('refund.full', { amount }) : t('refund.partly', { amount, total: format.money(order) })
      }
      hint={t('refund.hint', {
        charges: chargesOf(order).length,
        count: order.refunds.filter((refund) => refund.status === 'succeeded').length,
      })}
    />
  );
}
