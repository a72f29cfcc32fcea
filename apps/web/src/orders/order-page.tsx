import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { LineItems } from '../components/line-items';
import { Page } from '../components/page';
import { QueryView } from '../components/query-view';
import { useFormat } from '../language/language';
import { readArrival } from './arrival';
import { BuyAgain } from './buy-again';
import { OrderBanner } from './order-banner';
import { orderQuery } from './orders.api';
import { Receipt } from './receipt';
import { RefundSection } from './refund-section';

export function OrderPage() {
  const t = useTranslations();
  const format = useFormat();
  const { orderId = '' } = useParams();
  const arrival = readArrival(useLocation().state);
  const query = useQuery(orderQuery(orderId));
  const title = query.data ? t('order.title', { number: query.data.number }) : t('order.titleLoading');
  return (
    <Page title={title}>
      <QueryView query={query} skeleton={<div className="bone h-96 max-w-3xl" />}>
        {(order) => (
          <div className="grid max-w-3xl gap-6">
            <OrderBanner order={order} arrival={arrival} />
            {order.status === 'paid' ? (
              <>
                <Receipt order={order} />
                <RefundSection order={order} />
                <div className="no-print flex flex-wrap items-start justify-between gap-4">
                  <BuyAgain order={order} />
                  <button type="button" className="button" onClick={() => window.print()}>
                    {t('order.print')}
                  </button>
                </div>
              </>
            ) : (
              <section className="ticket grid gap-2 p-5" aria-label={t('order.items')}>
                <p className="text-sm text-soft">
                  {t('order.madeOn', { date: format.dateTime(order.createdAt) })}
                </p>
                <LineItems items={order.items} total={order} />
              </section>
            )}
          </div>
        )}
      </QueryView>
    </Page>
  );
}
