import type { Order } from '@pay-once/contracts';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';
import type { Arrival } from './arrival';
import { chargesOf } from './charges';
import { isBeingPaid } from './orders.api';

interface OrderBannerProps {
  order: Order;
  arrival: Arrival | undefined;
}

/** The order's state in two lines: did money move, how often, and what to do now. */
export function OrderBanner({ order, arrival }: OrderBannerProps) {
  const t = useTranslations();
  if (order.status === 'paid') return <PaidBanner count={chargesOf(order).length} arrival={arrival} />;
  const toCheckout = `/checkout/${order.id}`;
  if (isBeingPaid(order)) {
    return (
      <Notice tone="waiting" title={t('order.paying')} hint={t('order.payingHint')}>
        <Link to={toCheckout} className="link">
          {t('order.payingLink')}
        </Link>
      </Notice>
    );
  }
  return (
    <Notice tone="calm" title={t('order.unpaid')} hint={t('order.unpaidHint')}>
      <Link to={toCheckout} className="button button-main no-print">
        {t('order.pay')}
      </Link>
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
