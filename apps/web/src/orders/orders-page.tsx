import type { Order } from '@pay-once/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { ConcertArt } from '../components/concert-art';
import { EmptyState } from '../components/empty-state';
import { Page } from '../components/page';
import { QueryView } from '../components/query-view';
import { useFormat } from '../language/language';
import { OrderStatusMark } from './order-status';
import { ordersQuery } from './orders.api';

export function OrdersPage() {
  const t = useTranslations();
  const orders = useQuery(ordersQuery);
  return (
    <Page title={t('orders.title')} width="column">
      <QueryView query={orders} skeleton={<OrderBones />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t('orders.empty')} hint={t('orders.emptyBody')}>
              <Link to="/" className="button button-main">
                {t('cart.choose')}
              </Link>
            </EmptyState>
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
  const [first] = order.items;
  return (
    <li className="ticket relative flex flex-wrap items-center gap-x-4 gap-y-3 p-4 hover:border-control sm:p-5">
      {first && (
        <ConcertArt concertId={first.concertId} className="size-14 self-start rounded-control sm:size-16" />
      )}
      <div className="min-w-44 flex-1">
        <p className="font-semibold">
          {order.items.map((item) => `${item.quantity} × ${item.title}`).join(', ')}
        </p>
        <p className="text-sm">
          {/* All of the ticket can be pressed. */}
          <Link to={`/orders/${order.id}`} className="link tabular-nums after:absolute after:inset-0">
            {order.number}
          </Link>
        </p>
        <p className="text-sm text-soft">{format.dateTime(order.createdAt)}</p>
      </div>
      <div className="flex basis-full flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:grid sm:basis-auto sm:justify-items-end">
        <p className="font-semibold tabular-nums">{format.money(order)}</p>
        <OrderStatusMark order={order} />
      </div>
    </li>
  );
}

function OrderBones() {
  return (
    <div className="grid gap-3">
      <div className="bone h-40 rounded-ticket sm:h-28" />
      <div className="bone h-40 rounded-ticket sm:h-28" />
    </div>
  );
}
