import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';

/** What a paid order's checkout shows: the receipt, and nothing that could be pressed to pay. */
export function AlreadyPaid({ orderId }: { orderId: string }) {
  const t = useTranslations();
  return (
    <Notice takesFocus tone="done" title={t('checkout.alreadyPaid')} hint={t('checkout.alreadyPaidHint')}>
      <Link to={`/orders/${orderId}`} replace className="link">
        {t('checkout.receipt')}
      </Link>
    </Notice>
  );
}
