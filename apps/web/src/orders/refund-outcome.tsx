import type { Refund } from '@pay-once/contracts';
import type { IdempotentMutation } from '@pay-once/idempotency-client/react';
import { useTranslations } from 'use-intl';
import { isProblemCode } from '../api/http';
import { Notice } from '../components/notice';
import { UnknownNotice } from '../components/unknown-notice';

/** What became of the press, as a part of the page that stays. */
export function RefundOutcome({ refund }: { refund: IdempotentMutation<Refund> }) {
  const t = useTranslations();
  const { state } = refund;
  switch (state.kind) {
    case 'offline':
      return <Notice takesFocus tone="offline" title={t('refund.offline')} hint={t('refund.offlineHint')} />;
    case 'refused':
      return <Refused code={state.problem.code} />;
    case 'unknown':
      return (
        <UnknownNotice
          title={state.maySendAgain ? t('refund.notFoundYet') : t('refund.unknown')}
          hint={state.maySendAgain ? t('refund.retrySafelyWhy') : t('refund.processingHint')}
          onAsk={refund.askNow}
          onRetry={state.maySendAgain ? refund.retrySafely : undefined}
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

function Refused({ code }: { code: string }) {
  const t = useTranslations();
  switch (code) {
    case 'refund_exceeds_payment':
      return <Notice takesFocus tone="refused" title={t('refund.exceeds')} hint={t('refund.exceedsHint')} />;
    case 'refund_conflict':
      return (
        <Notice takesFocus tone="refused" title={t('refund.conflict')} hint={t('refund.conflictHint')} />
      );
    case 'card_declined':
      return (
        <Notice takesFocus tone="refused" title={t('refund.declined')} hint={t('refund.declinedHint')} />
      );
    default:
      return (
        <Notice
          takesFocus
          tone="refused"
          title={t('refund.refused')}
          hint={t(isProblemCode(code) ? `problem.${code}` : 'problem.turned_away')}
        />
      );
  }
}
