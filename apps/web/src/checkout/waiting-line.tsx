import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';

/** When waiting is no longer short, and when a person wants to go and do something else. */
const slowAfterMs = 3_000;
const leaveAfterMs = 10_000;

interface WaitingLineProps {
  /** `undefined`: nothing is going on. */
  waitingFor: 'sending' | 'in_progress' | 'resuming' | 'succeeded' | undefined;
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
    in_progress: t('pay.processing'),
    resuming: t('pay.checking'),
    succeeded: t('pay.succeeded'),
  };
  const isSlow = waited !== 'short' && waitingFor !== 'succeeded';
  return (
    <>
      <p role="status" className="min-h-12 text-soft empty:min-h-0">
        {waitingFor ? (isSlow ? t('pay.slow') : texts[waitingFor]) : restText}
      </p>
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
