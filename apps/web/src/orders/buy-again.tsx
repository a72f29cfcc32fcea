import type { Order } from '@pay-once/contracts';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { ProblemNotice } from '../components/problem-notice';
import { putOrder } from './orders.api';
import { useOrderId } from './use-order-id';

/** Paying a paid order again is never possible; wanting the same seats once more is a new order. */
export function BuyAgain({ order }: { order: Order }) {
  const t = useTranslations();
  const navigate = useNavigate();
  const orderIdFor = useOrderId();
  const hintId = useId();
  const buyAgain = useMutation({
    mutationFn: () => {
      const items = order.items.map(({ concertId, quantity }) => ({ concertId, quantity }));
      return putOrder(orderIdFor(items), { items });
    },
  });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button
          type="button"
          className="button"
          aria-describedby={hintId}
          aria-disabled={buyAgain.isPending}
          onClick={() =>
            buyAgain.mutate(undefined, { onSuccess: (made) => navigate(`/checkout/${made.id}`) })
          }
        >
          {t('order.again')}
        </button>
        <p id={hintId} className="text-sm text-soft">
          {t('order.againHint')}
        </p>
      </div>
      {buyAgain.isError && <ProblemNotice error={buyAgain.error} title={t('cart.noOrder')} />}
    </div>
  );
}
