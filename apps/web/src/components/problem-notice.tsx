import { useTranslations } from 'use-intl';
import { ProblemError } from '../api/http';
import { Notice } from './notice';

interface ProblemNoticeProps {
  error: Error;
  /** What did not work, in a sentence. */
  title: string;
  onAgain?: () => void;
}

/** What went wrong and the one thing to do about it. */
export function ProblemNotice({ error, title, onAgain }: ProblemNoticeProps) {
  const t = useTranslations();
  const code = error instanceof ProblemError ? error.code : 'internal';
  const ended = code === 'unauthenticated';
  return (
    <Notice tone="refused" title={title} hint={t(`problem.${code}`)}>
      {ended && (
        <button type="button" className="button" onClick={() => location.reload()}>
          {t('load.reload')}
        </button>
      )}
      {!ended && onAgain && (
        <button type="button" className="button" onClick={onAgain}>
          {t('load.again')}
        </button>
      )}
    </Notice>
  );
}
