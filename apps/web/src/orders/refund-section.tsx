import type { Order, Refund } from '@pay-once/contracts';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorBoundary } from '../components/error-boundary';
import { Notice } from '../components/notice';
import { useFormat } from '../language/language';
import { KeptNumber } from './needs-person';
import { chargesOf, refundableMinor } from './payment-facts';
import { refundNumber, unfinishedRefund } from './refund.api';

const RefundForm = lazy(() => import('./refund-form').then((m) => ({ default: m.RefundForm })));

/** Where a paid order's money is given back, folded away until it is wanted or a refund has no answer yet. */
export function RefundSection({ order }: { order: Order }) {
  const t = useTranslations();
  const [payment] = chargesOf(order);
  const [open, setOpen] = useState(
    () => payment !== undefined && unfinishedRefund(payment.id, refundNumber(order, payment)) !== undefined,
  );
  const [made, setMade] = useState<Refund>();
  if (!payment) return null;
  const left = { ...payment, amountMinor: refundableMinor(order, payment) };
  const isFormWanted = left.amountMinor > 0 || unfinishedRefund(payment.id, refundNumber(order, payment));
  return (
    <section className="grid gap-3" aria-label={t('refund.title')}>
      {made && <Made key={made.id} refund={made} />}
      {isFormWanted && (
        <>
          <button
            type="button"
            className="button justify-self-start"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t('refund.open')}
          </button>
          {open && (
            <ErrorBoundary>
              <Suspense fallback={<div className="bone h-48" />}>
                <RefundForm
                  key={made?.id}
                  order={order}
                  payment={payment}
                  left={left}
                  onMade={(refund) => {
                    setMade(refund);
                    setOpen(false);
                  }}
                />
              </Suspense>
            </ErrorBoundary>
          )}
        </>
      )}
    </section>
  );
}

function Made({ refund }: { refund: Refund }) {
  const t = useTranslations();
  const amount = useFormat().money(refund);
  if (refund.status === 'needs_review') {
    return (
      <Notice
        takesFocus
        tone="waiting"
        title={t('refund.needsPerson')}
        hint={t('refund.needsPersonHint', { amount })}
      >
        <KeptNumber number={refund.id} />
      </Notice>
    );
  }
  return <Notice takesFocus tone="done" title={t('refund.done', { amount })} hint={t('refund.doneHint')} />;
}
