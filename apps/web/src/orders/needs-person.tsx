import type { Payment } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';

/** A payment whose outcome no machine will find out: nothing to press, and the number to ask with. */
export function NeedsPerson({ payment }: { payment: Payment }) {
  const t = useTranslations();
  return (
    <Notice tone="waiting" title={t('order.needsPerson')} hint={t('order.needsPersonHint')}>
      <KeptNumber number={payment.id} />
    </Notice>
  );
}

/** A number that staff will ask for; one press selects all of it. */
export function KeptNumber({ number }: { number: string }) {
  const t = useTranslations();
  return (
    <p>
      {t('order.keptNumber')}:{' '}
      <span className="block font-semibold wrap-anywhere select-all tabular-nums">{number}</span>
    </p>
  );
}
