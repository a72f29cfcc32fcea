import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFormat } from '../src/language/format';
import { readMajorUnits } from '../src/language/major-units';

const rupiah = (amountMinor: number) => ({ amountMinor, currency: 'IDR' as const });

describe('amounts', () => {
  it.each([
    ['id', rupiah(150_000_000), 'Rp1.500.000'],
    ['en', rupiah(150_000_000), 'Rp1,500,000'],
    ['id', rupiah(150_000_050), 'Rp1.500.000,50'],
    ['en', rupiah(150_000_050), 'Rp1,500,000.50'],
    ['id', rupiah(0), 'Rp0'],
    ['en', rupiah(10 ** 13), 'Rp100,000,000,000'],
    ['en', { amountMinor: 1_234, currency: 'JPY' as const }, '¥1,234'],
  ] as const)('read naturally in %s', (locale, amount, text) => {
    expect(createFormat(locale).money(amount)).toBe(text);
  });

  it('hold no space, so that they match what a person would type', () => {
    for (const locale of ['en', 'id'] as const) {
      expect(createFormat(locale).money(rupiah(123_456_700))).not.toMatch(/\s/);
    }
  });
});

describe('an amount that a person types', () => {
  it.each(['1500000', '1.500.000', '1,500,000', '1 500 000', 'Rp1.500.000', ' rp 1,500,000 '])(
    'is taken as it was meant: %s',
    (text) => expect(readMajorUnits(text, 'IDR')).toBe(150_000_000),
  );

  it.each([
    '15000,00',
    '15000.00',
    '15.000,00',
    '1.5',
    '1,5',
    '1.500,000',
    '1.5000',
    '.500',
    '-1',
    '1e3',
    '',
    'Rp',
  ])('is refused where it could mean two things, or none: “%s”', (text) =>
    expect(readMajorUnits(text, 'IDR')).toBeUndefined(),
  );
});

describe('instants', () => {
  const instant = '2026-11-30T15:14:00.000Z';

  afterEach(() => vi.unstubAllEnvs());

  it('are told in the zone of the reader, and name it', () => {
    vi.stubEnv('TZ', 'Asia/Jakarta');
    expect(createFormat('id').dateTime(instant)).toMatch(/^30 November 2026 .*22[.:]14 WIB$/);
    expect(createFormat('en').dateTime(instant)).toMatch(/^30 November 2026 .*22:14 GMT\+7$/);
  });

  it('fall on the day of the reader', () => {
    vi.stubEnv('TZ', 'Pacific/Auckland');
    expect(createFormat('en').dateTime(instant)).toMatch(/^1 December 2026 .*04:14 /);
  });
});
