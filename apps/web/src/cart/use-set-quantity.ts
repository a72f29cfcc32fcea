import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { cartQuery, putCartItem } from './cart.api';

/** Sets how many seats of one concert the cart holds; `wanted` is what was pressed and is not yet answered. */
export function useSetQuantity(concertId: string, inCart: number) {
  const queryClient = useQueryClient();
  // What the last press wanted. A second press can come before the first is rendered, and goes on from there.
  const latest = useRef<number>(undefined);
  const change = useMutation({
    mutationFn: (quantity: number) => putCartItem(concertId, quantity),
    // One after the other: two values that overtake each other would leave the older one in the cart.
    scope: { id: 'cart' },
    onSuccess: (cart) => queryClient.setQueryData(cartQuery.queryKey, cart),
    onError: () => queryClient.invalidateQueries({ queryKey: cartQuery.queryKey }),
    onSettled: (_cart, _error, quantity) => {
      if (latest.current === quantity) latest.current = undefined;
    },
  });

  function set(quantity: number) {
    latest.current = quantity;
    change.mutate(quantity);
  }

  return {
    set,
    step(by: 1 | -1, max: number) {
      const before = latest.current ?? inCart;
      // What lies in the cart can be taken out, also when fewer seats are left by now.
      if (by === 1 ? before < max : before > 0) set(before + by);
    },
    wanted: change.isPending ? change.variables : undefined,
    error: change.error,
  };
}
