import type { Message } from '@pay-once/contracts';
import type { IdempotentMutation } from '@pay-once/idempotency-client/react';
import { useTranslations } from 'use-intl';
import { isProblemCode } from '../api/http';
import { Notice } from '../components/notice';

interface ContactOutcomeProps {
  sending: IdempotentMutation<Message>;
  onGiveUp: () => void;
}

/** What became of the press, as a part of the page that stays. */
export function ContactOutcome({ sending, onGiveUp }: ContactOutcomeProps) {
  const t = useTranslations();
  const { state } = sending;
  switch (state.kind) {
    case 'offline':
      return (
        <Notice takesFocus tone="offline" title={t('contact.offline')} hint={t('contact.offlineHint')} />
      );
    case 'refused': {
      const { code } = state.problem;
      return (
        <Notice
          takesFocus
          tone="refused"
          title={t('contact.refused')}
          hint={t(isProblemCode(code) ? `problem.${code}` : 'problem.turned_away')}
        />
      );
    }
    case 'unknown':
    case 'in_progress':
      return (
        <Notice takesFocus tone="waiting" title={t('contact.unknown')} hint={t('contact.unknownHint')}>
          {state.kind === 'unknown' && state.maySendAgain && (
            <div className="flex flex-wrap gap-3">
              <button type="button" className="button button-main" onClick={sending.retrySafely}>
                {t('pay.retrySafely')}
              </button>
              <button type="button" className="button text-ink" onClick={onGiveUp}>
                {t('contact.another')}
              </button>
            </div>
          )}
        </Notice>
      );
    case 'idle':
    case 'resuming':
    case 'sending':
    case 'succeeded':
      return null;
  }
}
