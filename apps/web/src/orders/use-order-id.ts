import type { PutOrder } from '@pay-once/contracts';
import { createIdempotencyKey } from '@pay-once/idempotency-client';
import { useRef } from 'react';

/**
 * Gives the id under which an order of these items is made. It stays the same for as long as the items do: a
 * second press, or a press after a lost reply, names the same order instead of making another.
 */
export function useOrderId(): (items: PutOrder['items']) => string {
  const draft = useRef({ orderId: '', itemsText: '' });
  return (items) => {
    const itemsText = JSON.stringify(items);
    if (draft.current.itemsText !== itemsText) draft.current = { orderId: createIdempotencyKey(), itemsText };
    return draft.current.orderId;
  };
}
