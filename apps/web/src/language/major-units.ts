import {
  AMOUNT_MINOR_MAX,
  CURRENCY_EXPONENTS,
  type Currency,
  type Money,
  toMajorUnits,
} from '@pay-once/contracts';

/** The whole major units of an amount, as a person types them: `1500000`. */
export function writeMajorUnits(money: Money): string {
  return toMajorUnits(money).split('.')[0] ?? '';
}

/** Digits, or digits in groups of three with one kind of separator: nothing that could be meant as a fraction. */
const WHOLE_UNITS = /^(?:\d+|\d{1,3}(?:([.,\s])\d{3})(?:\1\d{3})*)$/;

/**
 * Reads whole major units, as this shop writes them or without separators, into minor units. `undefined` for anything
 * else: `15.000,00` taken for another number would move other money.
 */
export function readMajorUnits(text: string, currency: Currency): number | undefined {
  const number = text.trim().replace(/^Rp\s*/i, '');
  if (!WHOLE_UNITS.test(number)) return undefined;
  const digits = number.replace(/\D/g, '');
  const amountMinor = Number(digits) * 10 ** CURRENCY_EXPONENTS[currency];
  return amountMinor <= AMOUNT_MINOR_MAX ? amountMinor : undefined;
}
