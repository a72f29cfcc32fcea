import { expect, it } from 'vitest';
import { formatMoney, type Money, toMajorUnits } from '../src/money.js';

it.each<[Money, string]>([
  [{ amountMinor: 150_000_000, currency: 'IDR' }, '1500000.00'],
  [{ amountMinor: 1, currency: 'IDR' }, '0.01'],
  [{ amountMinor: 0, currency: 'IDR' }, '0.00'],
  [{ amountMinor: -5, currency: 'USD' }, '-0.05'],
  [{ amountMinor: 1500, currency: 'JPY' }, '1500'],
  [{ amountMinor: 1500, currency: 'KWD' }, '1.500'],
  [{ amountMinor: 10 ** 13, currency: 'IDR' }, '100000000000.00'],
])('%j is %s in major units', (money, major) => {
  expect(toMajorUnits(money)).toBe(major);
});

it('shows rupiah without its two empty decimals', () => {
  const price: Money = { amountMinor: 150_000_000, currency: 'IDR' };
  expect(formatMoney(price, 'id')).toBe('Rp1.500.000');
  expect(formatMoney(price, 'en')).toBe('Rp1,500,000');
});

it('shows decimals that are there', () => {
  expect(formatMoney({ amountMinor: 150_000_050, currency: 'IDR' }, 'id')).toBe('Rp1.500.000,50');
  expect(formatMoney({ amountMinor: 99, currency: 'USD' }, 'en')).toBe('$0.99');
});

it('groups the digits of the smallest and the largest amount', () => {
  expect(formatMoney({ amountMinor: 0, currency: 'IDR' }, 'en')).toBe('Rp0');
  expect(formatMoney({ amountMinor: 10 ** 13, currency: 'IDR' }, 'en')).toBe('Rp100,000,000,000');
  expect(formatMoney({ amountMinor: 100_000, currency: 'IDR' }, 'en')).toBe('Rp1,000');
});
