import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { cartQuery } from '../cart/cart.api';
import { EmptyState } from '../components/empty-state';
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
            <EmptyState title={t('catalogue.empty')} hint={t('catalogue.emptyBody')} />
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

/** As many as the shop has on most days, each in the size of a card. */
function CardBones() {
  return (
    <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-4">
      {[1, 2, 3, 4].map((card) => (
        <div key={card} className="ticket">
          <div className="ticket-art bone h-40 sm:h-52 xl:h-40" />
          <div className="grid gap-2 p-5">
            <div className="bone h-8 w-4/5" />
            <div className="bone h-4 w-3/5" />
            <div className="bone h-4 w-2/3" />
          </div>
          <div className="tear" />
          <div className="grid gap-3 p-5">
            <div className="bone h-12 w-1/2" />
            <div className="bone h-12 w-32" />
          </div>
        </div>
      ))}
    </div>
  );
}
