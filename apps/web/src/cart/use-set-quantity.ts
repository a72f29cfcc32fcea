import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cartQuery, putCartItem } from './cart.api';

/** Sets how many seats of one concert the cart holds; `wanted` is what was pressed and is not yet answered. */
export function useSetQuantity(concertId: string) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (quantity: number) => putCartItem(concertId, quantity),
    // One after the other: two values that overtake each other would leave the older one in the cart.
    scope: { id: 'cart' },
    onSuccess: (cart) => queryClient.setQueryData(cartQuery.queryKey, cart),
    onError: () => queryClient.invalidateQueries({ queryKey: cartQuery.queryKey }),
  });
  return {
    set: (quantity: number) => change.mutate(quantity),
    wanted: change.isPending ? change.variables : undefined,
    error: change.error,
  };
}
