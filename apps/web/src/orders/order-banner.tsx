import type { Order } from '@pay-once/contracts';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';
import type { Arrival } from './arrival';
import { NeedsPerson } from './needs-person';
import { isBeingPaid } from './orders.api';
import { awaitsPerson, chargesOf, lastDecline } from './payment-facts';
import { RefundBanner } from './refund-banner';

interface OrderBannerProps {
  order: Order;
  arrival: Arrival | undefined;
}

/** The order's state in two lines: did money move, how often, and what to do now. */
export function OrderBanner({ order, arrival }: OrderBannerProps) {
  const t = useTranslations();
  const unconfirmed = awaitsPerson(order);
  if (order.refunds.some((refund) => refund.status !== 'declined')) return <RefundBanner order={order} />;
  if (order.status === 'paid') return <PaidBanner count={chargesOf(order).length} arrival={arrival} />;
  if (unconfirmed) return <NeedsPerson payment={unconfirmed} />;
  const toCheckout = `/checkout/${order.id}`;
  if (order.status === 'paying') {
    return <Notice tone="waiting" title={t('pay.processing')} hint={t('order.payingHint')} />;
  }
  if (isBeingPaid(order)) {
    return (
      <Notice tone="waiting" title={t('order.unanswered')} hint={t('order.payingHint')}>
        <Link to={toCheckout} className="link">
          {t('order.payingLink')}
        </Link>
      </Notice>
    );
  }
  const toPay = (
    <Link to={toCheckout} className="button button-main no-print">
      {t('order.pay')}
    </Link>
  );
  if (lastDecline(order)) {
    return (
      <Notice tone="refused" title={t('problem.card_declined')} hint={t('order.declinedHint')}>
        {toPay}
      </Notice>
    );
  }
  return (
    <Notice tone="calm" title={t('order.unpaid')} hint={t('order.unpaidHint')}>
      {toPay}
    </Notice>
  );
}

function PaidBanner({ count, arrival }: { count: number; arrival: Arrival | undefined }) {
  const t = useTranslations();
  switch (arrival) {
    case 'replayed':
      return <Notice tone="done" title={t('order.paidReplayed')} hint={t('order.chargedHint', { count })} />;
    case 'other_tab':
      return <Notice tone="done" title={t('order.paidOtherTab')} hint={t('order.chargedHint', { count })} />;
    case 'key_reused':
      return <Notice tone="done" title={t('pay.reusedPaid')} hint={t('pay.reused')} />;
    case 'now':
    case 'asked':
    case undefined:
      return <Notice tone="done" title={t('order.paid', { count })} hint={t('order.paidHint')} />;
  }
}
