import type { Concert } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { QuantityStepper } from '../cart/quantity-stepper';
import { useSetQuantity } from '../cart/use-set-quantity';
import { ProblemNotice } from '../components/problem-notice';
import { useFormat } from '../language/language';
import { ConcertArt } from './concert-art';
import { LikeButton } from './like-button';

interface ConcertCardProps {
  concert: Concert;
  /** How many of its seats the cart holds. */
  inCart: number;
}

export function ConcertCard({ concert, inCart }: ConcertCardProps) {
  const t = useTranslations();
  const format = useFormat();
  const quantity = useSetQuantity(concert.id);
  const soldOut = concert.seatsLeft === 0;
  return (
    <article className="ticket grid grid-rows-[auto_1fr_auto_auto]">
      <ConcertArt
        concertId={concert.id}
        className="h-40 w-full sm:h-52 xl:h-40 rounded-t-[calc(0.875rem-1px)]"
      />
      <div className="grid content-start gap-1 p-5">
        <div className="flex items-start justify-between gap-2">
          <h2>{concert.title}</h2>
          <LikeButton concert={concert} />
        </div>
        <p className="text-soft">{concert.venue}</p>
        <p className="text-soft">
          <time dateTime={concert.startsAt}>{format.dateTime(concert.startsAt)}</time>
        </p>
      </div>
      <div className="tear" />
      <div className="grid gap-3 p-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <p className="text-lg font-semibold tabular-nums">
              {format.money(concert)}{' '}
              <span className="text-sm font-normal text-soft">{t('catalogue.each')}</span>
            </p>
            <p className="text-sm text-soft">
              {soldOut ? t('catalogue.soldOut') : t('catalogue.seatsLeft', { count: concert.seatsLeft })}
            </p>
          </div>
          <QuantityStepper
            title={concert.title}
            quantity={quantity.wanted ?? inCart}
            seatsLeft={concert.seatsLeft}
            onSet={quantity.set}
          />
        </div>
        {quantity.error && <ProblemNotice error={quantity.error} title={t('cart.unsaved')} />}
      </div>
    </article>
  );
}
