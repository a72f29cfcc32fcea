import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Page } from './page';

export function NotFoundPage() {
  const t = useTranslations();
  return (
    <Page title={t('notFound.title')} lead={t('notFound.body')}>
      <p>
        <Link to="/" className="button button-main">
          {t('cart.choose')}
        </Link>
      </p>
    </Page>
  );
}
