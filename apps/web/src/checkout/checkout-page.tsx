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
      <QueryView query={query} skeleton={<CheckoutBones />}>
        {(order) => (
          <div className="beside">
            <section className="ticket grid gap-2 p-4 sm:p-5" aria-labelledby="ordered">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h2 id="ordered">{t('checkout.items')}</h2>
                <p className="text-sm text-soft tabular-nums">{t('order.title', { number: order.number })}</p>
              </div>
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

function CheckoutBones() {
  return (
    <div className="beside">
      <div className="bone h-48 rounded-ticket" />
      <div className="bone h-[22rem] rounded-ticket" />
    </div>
  );
}
