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
    <Page title={title} width="column">
      <QueryView query={query} skeleton={<OrderBones />}>
        {(order) => (
          <div className="grid gap-6">
            <OrderBanner order={order} arrival={arrival} />
            {order.status === 'paid' ? (
              <>
                <Receipt order={order} />
                <div className="no-print grid gap-3">
                  <BuyAgain order={order} />
                  <RefundSection order={order} />
                </div>
              </>
            ) : (
              <section className="ticket grid gap-2 p-4 sm:p-5" aria-label={t('order.items')}>
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

function OrderBones() {
  return (
    <div className="grid gap-6">
      <div className="bone h-28 rounded-ticket" />
      <div className="bone h-[36rem] rounded-ticket" />
    </div>
  );
}
