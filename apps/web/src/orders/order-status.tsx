import type { OrderStatus } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { CheckIcon, ClockIcon, InfoIcon } from '../components/icons';

/** An order's status in a word with its own mark, so that colour is never the only sign. */
export function OrderStatusMark({ status }: { status: OrderStatus }) {
  const t = useTranslations();
  const looks = {
    paid: { className: 'text-accent', icon: <CheckIcon />, text: t('orders.statusPaid') },
    paying: { className: 'text-waiting', icon: <ClockIcon />, text: t('orders.statusPaying') },
    unpaid: { className: 'text-soft', icon: <InfoIcon />, text: t('orders.statusUnpaid') },
  };
  const { className, icon, text } = looks[status];
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm font-semibold ${className}`}>
      {icon}
      {text}
    </span>
  );
}
