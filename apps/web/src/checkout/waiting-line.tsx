import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';
import type { WaitingFor } from './waiting-for';

/** When waiting is no longer short, and when a person wants to go and do something else. */
const slowAfterMs = 3_000;
const leaveAfterMs = 10_000;

interface WaitingLineProps {
  waitingFor: WaitingFor | undefined;
  /** What stands here while nothing is going on. */
  restText: string;
  orderId: string;
}

/** Says what is going on. It is always in the page: a screen reader only hears changes of what it knows. */
export function WaitingLine({ waitingFor, restText, orderId }: WaitingLineProps) {
  const t = useTranslations();
  const waited = useWaited(waitingFor !== undefined);
  const texts = {
    sending: t('pay.sending'),
    resuming: t('pay.checking'),
    slow: t('pay.slow'),
    receipt: t('pay.succeeded'),
    person: t('order.needsPerson'),
  };
  const isSlow = waited !== 'short' && (waitingFor === 'sending' || waitingFor === 'resuming');
  return (
    <>
      <div role="status" className="min-h-18 text-soft text-balance empty:min-h-0 sm:min-h-6 lg:min-h-12">
        {waitingFor === 'in_progress' && (
          <Notice tone="waiting" title={t('pay.processing')} hint={t('pay.unknownHint')} />
        )}
        {waitingFor !== 'in_progress' && (waitingFor ? texts[isSlow ? 'slow' : waitingFor] : restText)}
      </div>
      {waitingFor && waited === 'long' && (
        <p>
          <Link to={`/orders/${orderId}`} className="link">
            {t('pay.orderPage')}
          </Link>
        </p>
      )}
    </>
  );
}

/** How long it has been waiting. It only changes words: no timer may make the button pressable again. */
function useWaited(waiting: boolean): 'short' | 'slow' | 'long' {
  const [waited, setWaited] = useState<'short' | 'slow' | 'long'>('short');
  useEffect(() => {
    if (!waiting) return;
    const timers = [
      setTimeout(() => setWaited('slow'), slowAfterMs),
      setTimeout(() => setWaited('long'), leaveAfterMs),
    ];
    return () => {
      for (const timer of timers) clearTimeout(timer);
      setWaited('short');
    };
  }, [waiting]);
  return waited;
}
