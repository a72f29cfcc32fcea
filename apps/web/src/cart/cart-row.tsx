import type { CartItem } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { ConcertArt } from '../components/concert-art';
import { ProblemNotice } from '../components/problem-notice';
import { useFormat } from '../language/language';
import { QuantityStepper } from './quantity-stepper';
import { useSetQuantity } from './use-set-quantity';

export function CartRow({ item }: { item: CartItem }) {
  const t = useTranslations();
  const format = useFormat();
  const { title } = item;
  const quantity = useSetQuantity(item.concertId, item.quantity);
  return (
    <li className="grid gap-3 border-b border-line py-4 last:border-b-0 sm:py-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <ConcertArt
          concertId={item.concertId}
          className="size-16 self-start rounded-control sm:h-20 sm:w-28"
        />
        <div className="min-w-32 flex-1">
          <p className="font-semibold">{title}</p>
          <p className="text-sm text-soft tabular-nums">
            {format.money(item)} {t('catalogue.each')}
          </p>
          <button
            type="button"
            className="link min-h-11 text-sm sm:min-h-8"
            aria-label={t('cart.remove', { title })}
            onClick={() => quantity.set(0)}
          >
            {t('cart.removeShort')}
          </button>
        </div>
        <QuantityStepper
          title={title}
          quantity={quantity.wanted ?? item.quantity}
          seatsLeft={item.seatsLeft}
          onStep={quantity.step}
        />
        <p className="ml-auto text-right font-semibold tabular-nums sm:min-w-32">
          {format.money({ ...item, amountMinor: item.amountMinor * item.quantity })}
        </p>
      </div>
      {quantity.error && <ProblemNotice error={quantity.error} title={t('cart.unsaved')} />}
    </li>
  );
}
