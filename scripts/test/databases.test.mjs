import { afterEach, expect, test, vi } from 'vitest';
import { databasesFromEnvironment } from '../database.mjs';

afterEach(() => void vi.unstubAllEnvs());

/** @param {Record<string, string>} env */
function databasesOf(env) {
  for (const name of ['', 'MIGRATION_', 'CARD_NETWORK_', 'CARD_NETWORK_MIGRATION_']) {
    vi.stubEnv(`${name}DATABASE_URL`, env[`${name}DATABASE_URL`] ?? '');
  }
  return databasesFromEnvironment();
}

test('without DATABASE_URL there is no outside server', () => {
  expect(databasesOf({})).toBeUndefined();
});

test('the card network has a database of its own beside that of the shop, and the same two roles', () => {
  expect(
    databasesOf({
      DATABASE_URL: 'postgres://app:a%40b@db:5433/shop?sslmode=require',
      MIGRATION_DATABASE_URL: 'postgres://owner@db:5433/shop',
    }),
  ).toEqual({
    shop: {
      DATABASE_URL: 'postgres://app:a%40b@db:5433/shop?sslmode=require',
      MIGRATION_DATABASE_URL: 'postgres://owner@db:5433/shop',
    },
    cardNetwork: {
      DATABASE_URL: 'postgres://app:a%40b@db:5433/shop_card_network?sslmode=require',
      MIGRATION_DATABASE_URL: 'postgres://owner@db:5433/shop_card_network',
    },
  });
});

test('without a name in its URL the database is named after the role, as Postgres does it', () => {
  const databases = databasesOf({ DATABASE_URL: 'postgres://ana@db' });
  expect(databases?.cardNetwork.DATABASE_URL).toBe('postgres://ana@db/ana_card_network');
});

test('CARD_NETWORK_DATABASE_URL names another one', () => {
  const databases = databasesOf({
    DATABASE_URL: 'postgres://app@db/shop',
    CARD_NETWORK_DATABASE_URL: 'postgres://net@elsewhere/net',
    CARD_NETWORK_MIGRATION_DATABASE_URL: 'postgres://owner@elsewhere/net',
  });
  expect(databases?.cardNetwork).toEqual({
    DATABASE_URL: 'postgres://net@elsewhere/net',
    MIGRATION_DATABASE_URL: 'postgres://owner@elsewhere/net',
  });
});
