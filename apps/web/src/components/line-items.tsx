import type { Money } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { useFormat } from '../language/language';

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
          <li key={item.concertId} className="grid grid-cols-[1fr_auto] gap-x-4 border-b border-line py-2.5">
            <span>{item.title}</span>
            <span className="whitespace-nowrap tabular-nums">
              {format.money({ ...item, amountMinor: item.amountMinor * item.quantity })}
            </span>
            <span className="col-span-2 text-sm text-soft tabular-nums">
              {t('checkout.itemQuantity', { count: item.quantity })} × {format.money(item)}
            </span>
          </li>
        ))}
      </ul>
      <p className="flex justify-between gap-4 pt-3 text-lg font-semibold">
        <span>{t('checkout.total')}</span>
        <span className="whitespace-nowrap tabular-nums">{format.money(total)}</span>
      </p>
    </div>
  );
}
