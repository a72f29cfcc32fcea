import type { Order } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { CheckIcon, ClockIcon, InfoIcon } from '../components/icons';
import { awaitsPerson, refundedMinor } from './payment-facts';

/** How an order stands in a word with its own mark, so that colour is never the only sign. */
export function OrderStatusMark({ order }: { order: Order }) {
  const t = useTranslations();
  const looks = {
    paid: { className: 'text-accent', icon: <CheckIcon />, text: t('orders.statusPaid') },
    refunded: { className: 'text-accent', icon: <CheckIcon />, text: t('orders.statusRefunded') },
    paying: { className: 'text-waiting', icon: <ClockIcon />, text: t('orders.statusPaying') },
    review: { className: 'text-waiting', icon: <ClockIcon />, text: t('orders.statusReview') },
    unpaid: { className: 'text-soft', icon: <InfoIcon />, text: t('orders.statusUnpaid') },
  };
  const { className, icon, text } = looks[standOf(order)];
  return (
    <span className={`stamp ${className}`}>
      {icon}
      {text}
    </span>
  );
}

function standOf(order: Order): Order['status'] | 'refunded' | 'review' {
  if (awaitsPerson(order)) return 'review';
  return refundedMinor(order) >= order.amountMinor ? 'refunded' : order.status;
}
