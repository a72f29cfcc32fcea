import type { Money } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { useFormat } from '../language/language';
import { ConcertArt } from './concert-art';

interface LineItem extends Money {
  concertId: string;
  title: string;
  quantity: number;
}

interface LineItemsProps {
  items: LineItem[];
  total: Money;
}

/** What an order holds, line by line, and what it costs. */
export function LineItems({ items, total }: LineItemsProps) {
  const t = useTranslations();
  const format = useFormat();
  return (
    <div>
      <ul>
        {items.map((item) => (
          <li
            key={item.concertId}
            className="flex flex-wrap items-center justify-end gap-x-4 border-b border-line py-3"
          >
            <ConcertArt concertId={item.concertId} className="size-12 rounded-control" />
            <span className="grid min-w-36 flex-1">
              <span className="font-semibold">{item.title}</span>
              <span className="text-sm text-soft tabular-nums">
                {t('checkout.itemQuantity', { count: item.quantity })} × {format.money(item)}
              </span>
            </span>
            <span className="tabular-nums">
              {format.money({ ...item, amountMinor: item.amountMinor * item.quantity })}
            </span>
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap justify-between gap-x-4 pt-3 text-lg font-semibold">
        <span>{t('checkout.total')}</span>
        <span className="tabular-nums">{format.money(total)}</span>
      </p>
    </div>
  );
}
