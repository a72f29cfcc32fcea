import type { Cart } from '@pay-once/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/http';

export const cartQuery = queryOptions({ queryKey: ['cart'], queryFn: getCart });

function getCart(): Promise<Cart> {
  return request('GET', '/cart');
}

/** Sets the quantity, never adds to it; 0 takes the concert out. Gives the whole cart. */
export function putCartItem(concertId: string, quantity: number): Promise<Cart> {
  return request('PUT', `/cart/items/${concertId}`, { quantity });
}
