import { formatMoney, type Locale, type Money } from '@pay-once/contracts';

/** How amounts and instants are written in one language. */
export interface Format {
  /** An amount as a person reads it: `Rp1.500.000`. */
  money(money: Money): string;
  /** An ISO 8601 instant as date and time in the reader's time zone, with the zone. */
  dateTime(instant: string): string;
}

/** English puts the day before the month here: the shop's readers are not in the United States. */
const dateTags: Record<Locale, string> = { en: 'en-GB', id: 'id-ID' };

export function createFormat(locale: Locale): Format {
  const dateTime = new Intl.DateTimeFormat(dateTags[locale], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return {
    money: (money) => formatMoney(money, locale),
    dateTime: (instant) => dateTime.format(new Date(instant)),
  };
}
