import type { Order } from '@pay-once/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';
import { Page } from '../components/page';
import { QueryView } from '../components/query-view';
import { useFormat } from '../language/language';
import { OrderStatusMark } from './order-status';
import { ordersQuery } from './orders.api';

export function OrdersPage() {
  const t = useTranslations();
  const orders = useQuery(ordersQuery);
  return (
    <Page title={t('orders.title')}>
      <QueryView query={orders} skeleton={<div className="bone h-48" />}>
        {(list) =>
          list.length === 0 ? (
            <Notice tone="calm" title={t('orders.empty')} hint={t('orders.emptyBody')}>
              <Link to="/" className="link">
                {t('cart.choose')}
              </Link>
            </Notice>
          ) : (
            <ul className="grid gap-3">
              {list.map((order) => (
                <OrderRow key={order.id} order={order} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Page>
  );
}

function OrderRow({ order }: { order: Order }) {
  const format = useFormat();
  return (
    <li className="ticket flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-4">
      <div>
        <Link to={`/orders/${order.id}`} className="link tabular-nums">
          {order.number}
        </Link>
        <p className="text-sm text-soft">{format.dateTime(order.createdAt)}</p>
        <p className="text-sm">{order.items.map((item) => `${item.quantity} × ${item.title}`).join(', ')}</p>
      </div>
      <div className="grid gap-1 sm:justify-items-end">
        <p className="font-semibold tabular-nums">{format.money(order)}</p>
        <OrderStatusMark order={order} />
      </div>
    </li>
  );
}
