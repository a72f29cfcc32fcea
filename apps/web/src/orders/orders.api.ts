import type { Order, PutOrder } from '@pay-once/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/http';
import { awaitsPerson, isRefundBeingMade } from './payment-facts';
import { unfinishedPayment } from './unfinished-payment';

/** Between two looks at an order that will change by itself. */
const pollDelayMs = 2_000;

/** About four minutes. An e-ticket that has not come by then is shown when the page is looked at again. */
const ticketLooksMax = 120;

export const ordersQuery = queryOptions({ queryKey: ['orders'], queryFn: getOrders });

export function orderQuery(orderId: string) {
  return queryOptions({
    queryKey: ['orders', orderId],
    queryFn: () => getOrder(orderId),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data !== undefined && changesByItself(data, dataUpdateCount) && pollDelayMs,
    // Another tab may have paid meanwhile: always look again when this one is looked at.
    refetchOnWindowFocus: 'always',
  });
}

/** Whether a payment of the order is under way, as far as the server or this browser knows. */
export function isBeingPaid(order: Order): boolean {
  if (order.status === 'paying') return awaitsPerson(order) === undefined;
  return order.status === 'unpaid' && unfinishedPayment(order.id) !== undefined;
}

function changesByItself(order: Order, looks: number): boolean {
  const awaitsTicket = order.status === 'paid' && order.tickets.length === 0 && looks < ticketLooksMax;
  return awaitsTicket || isBeingPaid(order) || isRefundBeingMade(order);
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
