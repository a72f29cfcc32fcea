import type { Order, PutOrder } from '@pay-once/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/http';
import { hasUnfinishedPayment } from './unfinished-payment';

/** Between two looks at an order that is being paid. */
const pollDelayMs = 2_000;

export const ordersQuery = queryOptions({ queryKey: ['orders'], queryFn: getOrders });

export function orderQuery(orderId: string) {
  return queryOptions({
    queryKey: ['orders', orderId],
    queryFn: () => getOrder(orderId),
    refetchInterval: (query) => isBeingPaid(query.state.data) && pollDelayMs,
    // Another tab may have paid meanwhile: always look again when this one is looked at.
    refetchOnWindowFocus: 'always',
  });
}

/** Whether a payment of the order is under way, as far as the server or this browser knows. */
export function isBeingPaid(order: Order | undefined): boolean {
  if (!order) return false;
  return order.status === 'paying' || (order.status === 'unpaid' && hasUnfinishedPayment(order.id));
}

async function getOrders(): Promise<Order[]> {
  const { orders } = await request<{ orders: Order[] }>('GET', '/orders');
  return orders;
}

export function getOrder(orderId: string): Promise<Order> {
  return request('GET', `/orders/${orderId}`);
}

/** Makes the order under an id that we chose: sent twice, it is still one order. */
export function putOrder(orderId: string, order: PutOrder): Promise<Order> {
  return request('PUT', `/orders/${orderId}`, order);
}
