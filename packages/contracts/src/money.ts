/**
 * How many decimals a currency's minor unit has, after ISO 4217. The one table for API, web and ledger.
 * Not read from `Intl`: it gives IDR no decimals, and the difference is a factor of a hundred.
 */
export const CURRENCY_EXPONENTS = { IDR: 2, JPY: 0, KWD: 3, USD: 2 } as const;

export type Currency = keyof typeof CURRENCY_EXPONENTS;

/** The most that one amount may be, in minor units; far below 2^53, so sums of it stay exact in JavaScript. */
export const AMOUNT_MINOR_MAX = 10 ** 13;

/** `amountMinor` is in the minor unit of `currency`: Rp1.500.000 is `{amountMinor: 150000000, currency: 'IDR'}`. */
export interface Money {
  amountMinor: number;
  currency: Currency;
}

/**
 * The amount in major units as an exact decimal string: `150000000` of IDR is `"1500000.00"`.
 * A string, because dividing would round what must not be rounded.
 */
export function toMajorUnits(money: Money): string {
  const exponent = CURRENCY_EXPONENTS[money.currency];
  const sign = money.amountMinor < 0 ? '-' : '';
  const digits = String(Math.abs(money.amountMinor)).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

export type Locale = 'en' | 'id';

const SYMBOLS: Record<Currency, string> = { IDR: 'Rp', JPY: '¥', KWD: 'KWD ', USD: '$' };

/**
 * The amount as a person reads it: `Rp1.500.000` in Indonesian, `Rp1,500,000` in English. Decimals are shown
 * only when there are any. Not `Intl`, which would round rupiah and put a space that does not break.
 */
export function formatMoney(money: Money, locale: Locale): string {
  const [group, point] = locale === 'id' ? ['.', ','] : [',', '.'];
  const [whole = '', decimals = ''] = toMajorUnits(money).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const amount = /[1-9]/.test(decimals) ? `${grouped}${point}${decimals}` : grouped;
  return SYMBOLS[money.currency] + amount;
}
