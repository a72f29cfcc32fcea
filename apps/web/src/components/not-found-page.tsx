import { useTranslations } from 'use-intl';
import { NothingFound } from './nothing-found';
import { Page } from './page';

export function NotFoundPage() {
  const t = useTranslations();
  return (
    <Page title={t('notFound.title')} width="column">
      <NothingFound />
    </Page>
  );
}
