import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { cartQuery } from '../cart/cart.api';
import { Notice } from '../components/notice';
import { Page } from '../components/page';
import { QueryView } from '../components/query-view';
import { ConcertCard } from './concert-card';
import { concertsQuery } from './concerts.api';

export function CataloguePage() {
  const t = useTranslations();
  const concerts = useQuery(concertsQuery);
  const cart = useQuery(cartQuery);
  const cartItems = cart.data?.items ?? [];
  return (
    <Page title={t('catalogue.title')} lead={t('catalogue.lead')}>
      <QueryView query={concerts} skeleton={<CardBones />}>
        {(list) =>
          list.length === 0 ? (
            <Notice tone="calm" title={t('catalogue.empty')} hint={t('catalogue.emptyBody')} />
          ) : (
            <ul className="grid gap-5 sm:grid-cols-2 xl:grid-cols-4">
              {list.map((concert) => (
                <li key={concert.id} className="grid">
                  <ConcertCard
                    concert={concert}
                    inCart={cartItems.find((item) => item.concertId === concert.id)?.quantity ?? 0}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {cartItems.length > 0 && (
        <p className="sticky bottom-4 justify-self-end">
          <Link to="/cart" className="button button-main shadow-lg">
            {t('catalogue.toCart')}
          </Link>
        </p>
      )}
    </Page>
  );
}

function CardBones() {
  return (
    <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-4">
      <div className="bone h-96" />
      <div className="bone h-96" />
      <div className="bone h-96" />
    </div>
  );
}
