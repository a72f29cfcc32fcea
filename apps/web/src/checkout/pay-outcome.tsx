import type { Order, Payment } from '@pay-once/contracts';
import type { IdempotentMutation } from '@pay-once/idempotency-client/react';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';
import { UnknownNotice } from '../components/unknown-notice';
import { Refusal } from './refusal';

interface PayOutcomeProps {
  order: Order;
  payment: IdempotentMutation<Payment>;
}

/** What became of the press, as a part of the page that stays. */
export function PayOutcome({ order, payment }: PayOutcomeProps) {
  const t = useTranslations();
  const { state } = payment;
  switch (state.kind) {
    case 'offline':
      return <Notice takesFocus tone="offline" title={t('pay.offline')} hint={t('pay.offlineHint')} />;
    case 'refused':
      return <Refusal order={order} problem={state.problem} />;
    case 'unknown':
      return (
        <UnknownNotice
          title={state.maySendAgain ? t('pay.notFoundYet') : t('pay.unknown')}
          hint={state.maySendAgain ? t('pay.retrySafelyWhy') : t('pay.unknownHint')}
          onAsk={payment.askNow}
          onRetry={state.maySendAgain ? payment.retrySafely : undefined}
        />
      );
    case 'idle':
    case 'resuming':
    case 'sending':
    case 'in_progress':
    case 'succeeded':
      return null;
  }
}
