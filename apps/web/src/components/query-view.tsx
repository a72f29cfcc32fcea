import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ProblemError } from '../api/http';
import { NothingFound } from './nothing-found';
import { Notice } from './notice';
import { ProblemNotice } from './problem-notice';

interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  /** Stands where the content will be, in its size. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows what a query has, or which of its other ends it came to: loading, offline, a problem. */
export function QueryView<Data>({ query, skeleton, children }: QueryViewProps<Data>) {
  const t = useTranslations();
  if (query.data !== undefined) return children(query.data);
  if (query.error instanceof ProblemError && query.error.code === 'not_found') return <NothingFound />;
  if (query.isError) {
    return (
      <div className="max-w-2xl">
        <ProblemNotice error={query.error} title={t('load.failed')} onAgain={() => void query.refetch()} />
      </div>
    );
  }
  if (query.fetchStatus === 'paused') return <Notice tone="offline" title={t('load.offlinePage')} />;
  return (
    <div role="status">
      <span className="sr-only">{t('load.loading')}</span>
      <div aria-hidden="true">{skeleton}</div>
    </div>
  );
}
