import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { LineItems } from '../components/line-items';
import { Page } from '../components/page';
import { QueryView } from '../components/query-view';
import { orderQuery } from '../orders/orders.api';
import { PayForm } from './pay-form';

export function CheckoutPage() {
  const t = useTranslations();
  const { orderId = '' } = useParams();
  const query = useQuery(orderQuery(orderId));
  return (
    <Page title={t('checkout.title')}>
      <QueryView query={query} skeleton={<div className="bone h-80" />}>
        {(order) => (
          <div className="grid items-start gap-6 lg:grid-cols-[1fr_minmax(0,26rem)]">
            <section className="ticket grid gap-2 p-5" aria-labelledby="ordered">
              <h2 id="ordered">{t('checkout.items')}</h2>
              <p className="text-sm text-soft tabular-nums">{t('order.title', { number: order.number })}</p>
              <LineItems items={order.items} total={order} />
            </section>
            <section aria-label={t('checkout.payment')}>
              <PayForm key={order.id} order={order} />
            </section>
          </div>
        )}
      </QueryView>
    </Page>
  );
}
