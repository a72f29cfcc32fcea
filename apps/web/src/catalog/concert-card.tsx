import type { Concert } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { QuantityStepper } from '../cart/quantity-stepper';
import { useSetQuantity } from '../cart/use-set-quantity';
import { ConcertArt } from '../components/concert-art';
import { ProblemNotice } from '../components/problem-notice';
import { useFormat } from '../language/language';
import { LikeButton } from './like-button';

interface ConcertCardProps {
  concert: Concert;
  /** How many of its seats the cart holds. */
  inCart: number;
}

export function ConcertCard({ concert, inCart }: ConcertCardProps) {
  const t = useTranslations();
  const format = useFormat();
  const quantity = useSetQuantity(concert.id, inCart);
  const soldOut = concert.seatsLeft === 0;
  return (
    <article className="ticket grid grid-rows-[auto_1fr_auto_auto]">
      <ConcertArt
        concertId={concert.id}
        className={`ticket-art h-40 sm:h-52 xl:h-40 ${soldOut ? 'opacity-60 grayscale' : ''}`}
      />
      <div className="grid content-start gap-1 p-5 pb-4">
        <h2 className="mb-1">{concert.title}</h2>
        <p className="text-sm">{concert.venue}</p>
        <p className="text-sm text-soft">
          <time dateTime={concert.startsAt}>{format.dateTime(concert.startsAt)}</time>
        </p>
      </div>
      <div className="tear" />
      <div className="grid gap-3 p-5">
        <div>
          <p className="text-lg font-semibold tabular-nums">
            {format.money(concert)}{' '}
            <span className="text-sm font-normal text-soft">{t('catalogue.each')}</span>
          </p>
          <p className="text-sm text-soft">{t('catalogue.seatsLeft', { count: concert.seatsLeft })}</p>
        </div>
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-3">
          {/* What lies in the cart can still be taken out of it. */}
          {soldOut && inCart === 0 ? (
            <p className="stamp text-soft">{t('catalogue.soldOut')}</p>
          ) : (
            <QuantityStepper
              title={concert.title}
              quantity={quantity.wanted ?? inCart}
              seatsLeft={concert.seatsLeft}
              onStep={quantity.step}
            />
          )}
          <LikeButton concert={concert} />
        </div>
        {quantity.error && <ProblemNotice error={quantity.error} title={t('cart.unsaved')} />}
      </div>
    </article>
  );
}
