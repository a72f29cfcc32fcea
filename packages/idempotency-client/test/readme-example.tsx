import { useIdempotentMutation } from '@pay-once/idempotency-client/react';

interface Order {
  id: string;
  status: 'unpaid' | 'paying' | 'paid';
}

async function askForOrder(orderId: string, signal: AbortSignal) {
  const response = await fetch(`/api/orders/${orderId}`, { signal });
  if (!response.ok) throw new Error(`The order could not be read: ${response.status}`);
  const order: Order = await response.json();
  if (order.status === 'paid') return { kind: 'final', answer: order } as const;
  return { kind: order.status === 'paying' ? 'processing' : 'absent' } as const;
}

export function PayForm({ orderId }: { orderId: string }) {
  const { state, submit, retrySafely } = useIdempotentMutation<Order>({
    subject: `order:${orderId}`,
    operation: 'payments.create',
    url: `/api/orders/${orderId}/payments`,
    ask: (signal) => askForOrder(orderId, signal),
    readAnswer: () => ({ id: orderId, status: 'paid' }),
  });
  if (state.kind === 'succeeded') return <p>Paid. You were charged once.</p>;
  if (state.kind === 'unknown' && state.maySendAgain) {
    return (
      <button type="button" onClick={retrySafely}>
        Try again safely
      </button>
    );
  }
  const canPress = state.kind === 'idle' || state.kind === 'refused' || state.kind === 'offline';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit({ method: { type: 'balance' } });
      }}
    >
      <button type="submit" aria-disabled={!canPress}>
        Pay
      </button>
      <p role="status">{state.kind === 'refused' ? state.problem.title : state.kind}</p>
    </form>
  );
}
