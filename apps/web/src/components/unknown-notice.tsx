import { useTranslations } from 'use-intl';
import { Notice } from './notice';

interface UnknownNoticeProps {
  title: string;
  hint: string;
  /** Asks again, and sends nothing. */
  onAsk: () => void;
  /** Sends the same key again; left out while that is of no use. */
  onRetry: (() => void) | undefined;
}

/** Nobody can tell yet whether money moved: what may be done without a risk. */
export function UnknownNotice({ title, hint, onAsk, onRetry }: UnknownNoticeProps) {
  const t = useTranslations();
  return (
    <Notice takesFocus tone="waiting" title={title} hint={hint}>
      <div className="flex flex-wrap gap-3">
        {onRetry && (
          <button type="button" className="button button-main" onClick={onRetry}>
            {t('pay.retrySafely')}
          </button>
        )}
        <button type="button" className="button" onClick={onAsk}>
          {t('pay.askNow')}
        </button>
      </div>
    </Notice>
  );
}
