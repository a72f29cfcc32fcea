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

/** Reads whole major units, with or without thousands separators, into minor units; `undefined` for anything else. */
export function readMajorUnits(text: string, currency: Currency): number | undefined {
  const digits = text.replace(/[\s.,]/g, '');
  if (!/^\d+$/.test(digits)) return undefined;
  const amountMinor = Number(digits) * 10 ** CURRENCY_EXPONENTS[currency];
  return amountMinor <= AMOUNT_MINOR_MAX ? amountMinor : undefined;
}
