import type { Payment } from '@pay-once/contracts';
import type { KeyedMutationState } from '@pay-once/idempotency-client/react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isProblemCode } from '../api/http';
import { type Arrival, arrivalState } from '../orders/arrival';
import { orderQuery } from '../orders/orders.api';

type Succeeded = Extract<KeyedMutationState<Payment>, { kind: 'succeeded' }>;

/** Follows a final answer: the order's page takes the checkout's place, a refusal re-reads what was shown. */
export function useOutcome(orderId: string, state: KeyedMutationState<Payment>): void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  useEffect(() => {
    if (state.kind !== 'succeeded' && state.kind !== 'refused') return;
    if (state.kind === 'succeeded') {
      const { answer } = state;
      queryClient.setQueryData(orderQuery(orderId).queryKey, (order) => {
        if (!order) return undefined;
        const others = order.payments.filter((payment) => payment.id !== answer.id);
        const status = answer.status === 'succeeded' ? ('paid' as const) : ('paying' as const);
        return { ...order, status, payments: [...others, answer] };
      });
      // `replace`: Back must not lead to a page that offers to pay.
      void navigate(`/orders/${orderId}`, { replace: true, state: arrivalState(arrivalOf(state)) });
    }
    // The balance, the seats or the order are not what this page knew.
    void queryClient.invalidateQueries();
  }, [state, orderId, navigate, queryClient]);
}

/** The shop refused this request, and then a payment was found: an earlier request had paid. */
function arrivalOf({ how, problem }: Succeeded): Arrival {
  // A refusal that is not the shop's, such as a proxy's page, says nothing: this request may have paid.
  if (!problem || !isProblemCode(problem.code)) return how;
  return problem.code === 'idempotency_key_reused' ? 'key_reused' : 'replayed';
}
