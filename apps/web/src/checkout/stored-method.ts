import { type PaymentMethod, TEST_CARDS } from '@pay-once/contracts';
import { useSyncExternalStore } from 'react';
import { onPaymentIntent, unfinishedPayment } from '../orders/unfinished-payment';

/**
 * The method of the intention that is stored for the order, in this tab or another. It is what the next request
 * carries, whatever is chosen, so it is what the form has to show.
 */
export function useStoredMethod(orderId: string): PaymentMethod | undefined {
  const body = useSyncExternalStore(onPaymentIntent, () => unfinishedPayment(orderId)?.body);
  return body === undefined ? undefined : readMethod(body);
}

/** Reads it out of a body; the storage may hold anything. */
export function readMethod(body: string): PaymentMethod | undefined {
  try {
    const { type, card } = JSON.parse(body).method;
    if (type === 'balance') return { type };
    const known = TEST_CARDS.find((name) => name === card);
    return type === 'card' && known ? { type, card: known } : undefined;
  } catch {
    return undefined;
  }
}
