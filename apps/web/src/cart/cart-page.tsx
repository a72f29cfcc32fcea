import type { Cart } from '@pay-once/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { EmptyState } from '../components/empty-state';
import { Page } from '../components/page';
import { ProblemNotice } from '../components/problem-notice';
import { QueryView } from '../components/query-view';
import { useFormat } from '../language/language';
import { putOrder } from '../orders/orders.api';
import { useOrderId } from '../orders/use-order-id';
import { cartQuery, putCartItem } from './cart.api';
import { CartRow } from './cart-row';

export function CartPage() {
  const t = useTranslations();
  const format = useFormat();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const cart = useQuery(cartQuery);
  const orderIdFor = useOrderId();

  const checkOut = useMutation({
    mutationFn: async (ordered: Cart) => {
      const items = ordered.items.map(({ concertId, quantity }) => ({ concertId, quantity }));
      const order = await putOrder(orderIdFor(items), { items });
      // The order is made: what a lost answer leaves in the cart is a nuisance, not a reason to stop.
      await Promise.allSettled(items.map(({ concertId }) => putCartItem(concertId, 0)));
      return order;
    },
  });

  function onCheckOut(ordered: Cart) {
    checkOut.mutate(ordered, {
      onSuccess: async (order) => {
        await navigate(`/checkout/${order.id}`);
        await queryClient.invalidateQueries({ queryKey: cartQuery.queryKey });
      },
    });
  }

  return (
    <Page title={t('cart.title')}>
      <QueryView query={cart} skeleton={<CartBones />}>
        {(ordered) =>
          ordered.items.length === 0 ? (
            <EmptyState title={t('cart.empty')} hint={t('cart.emptyBody')}>
              <Link to="/" className="button button-main">
                {t('cart.choose')}
              </Link>
            </EmptyState>
          ) : (
            <div className="beside">
              <ul className="ticket px-4 sm:px-5">
                {ordered.items.map((item) => (
                  <CartRow key={item.concertId} item={item} />
                ))}
              </ul>
              <div className="ticket grid gap-4 p-4 sm:p-5">
                <p className="flex flex-wrap justify-between gap-x-4 text-lg font-semibold sm:text-xl">
                  <span>{t('cart.total')}</span>
                  <span className="tabular-nums">{format.money(ordered)}</span>
                </p>
                <button
                  type="button"
                  className="button button-main button-pay"
                  aria-disabled={checkOut.isPending}
                  onClick={() => onCheckOut(ordered)}
                >
                  {checkOut.isPending ? t('cart.checkingOut') : t('cart.checkOut')}
                </button>
                <p className="text-sm text-soft">{t('cart.note')}</p>
                {checkOut.isError && <ProblemNotice error={checkOut.error} title={t('cart.noOrder')} />}
              </div>
            </div>
          )
        }
      </QueryView>
    </Page>
  );
}

function CartBones() {
  return (
    <div className="beside">
      <div className="bone h-50 rounded-ticket sm:h-32" />
      <div className="bone h-46 rounded-ticket sm:h-44" />
    </div>
  );
}
