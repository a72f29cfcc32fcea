import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { EmptyState } from './empty-state';

/** For an address that leads nowhere: no page, or an order that is not there for this browser. */
export function NothingFound() {
  const t = useTranslations();
  return (
    <EmptyState title={t('notFound.nothing')} hint={t('notFound.hint')}>
      <Link to="/" className="button button-main">
        {t('cart.choose')}
      </Link>
    </EmptyState>
  );
}
