import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../components/page';
import { QueryView } from '../components/query-view';
import { useFormat } from '../language/language';
import { orderQuery } from '../orders/orders.api';
import { chargesOf } from '../orders/payment-facts';
import { useSteps } from './use-steps';

/** What the server recorded for one order, in the order of time: the proof behind the receipt. */
export function TimelinePage() {
  const t = useTranslations();
  const format = useFormat();
  const { orderId = '' } = useParams();
  const query = useQuery(orderQuery(orderId));
  const stepsOf = useSteps();
  return (
    <Page title={t('timeline.title')} lead={t('timeline.lead')} width="column">
      <QueryView query={query} skeleton={<div className="bone h-72 rounded-ticket" />}>
        {(order) => (
          <div className="grid gap-6">
            <p className="text-lg font-semibold">
              {t('timeline.charges', { count: chargesOf(order).length })}
            </p>
            <ol className="ticket px-4 sm:px-6">
              {stepsOf(order).map(({ id, at, says, amount }) => (
                <li key={`${id} ${says}`} className="grid gap-1 border-b border-line py-3 last:border-b-0">
                  <span className="text-sm text-soft">
                    <time dateTime={at}>{format.dateTime(at)}</time>
                  </span>
                  <span className="flex flex-wrap justify-between gap-x-4">
                    <span>{says}</span>
                    {amount && <span className="font-semibold tabular-nums">{format.money(amount)}</span>}
                  </span>
                  <span className="text-sm wrap-anywhere text-soft">{id}</span>
                </li>
              ))}
            </ol>
            <Link to={`/orders/${order.id}`} className="link justify-self-start">
              {t('timeline.back')}
            </Link>
          </div>
        )}
      </QueryView>
    </Page>
  );
}
