import { defineConfig, devices, type PlaywrightTestConfig } from '@playwright/test';
import { bfcacheLaunchOptions } from './browser/payment-gestures/index.js';
import type { ShopOptions } from './browser/shop-test.js';

// The browser tests run against a server that is up: BASE_URL says where, TEST_DATABASE_URL where its database is (as
// its owner), E2E_CHROMIUM which browser to start. `npm run e2e` sets all three.

const chromium = process.env['E2E_CHROMIUM'];
const baseURL = process.env['BASE_URL'] ?? '';

/** A name that is not localhost: over plain http the browser then takes half of its crypto away. */
const plainHost = 'shop.test';

/** Without these Chromium calls home, which a machine without internet answers late. */
const quietArgs = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
];

/**
 * What a whole Chromium draws around the page costs more than the page: two more documents for its address bar. The
 * last list of this kind is the one that counts, so it names again what Playwright turns off and these tests need.
 */
const featuresOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

type LaunchOptions = NonNullable<NonNullable<PlaywrightTestConfig['use']>['launchOptions']>;

function launch({ args = [], ...rest }: LaunchOptions = {}): { launchOptions: LaunchOptions } {
  const executable = chromium === undefined ? {} : { executablePath: chromium };
  return {
    launchOptions: {
      ...executable,
      args: [...quietArgs, `--disable-features=${featuresOff}`, ...args],
      ...rest,
    },
  };
}

// Each has a project of its own below, because it needs another browser.
const touch = /double-tap\.spec\.ts$/;
const plainHttp = /plain-http\.spec\.ts$/;
const noJavaScript = /no-javascript\.spec\.ts$/;
const bfcache = /bfcache\.spec\.ts$/;

export default defineConfig<ShopOptions>({
  testDir: 'browser',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // A test that passes the second time has found something.
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // Generous, for a machine that does ten other things: nothing waits longer than it has to.
  timeout: 60_000,
  globalTeardown: './browser/records-agree.ts',
  expect: { timeout: 15_000 },
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['list'], ['json']] : [['list']],
  use: {
    baseURL,
    locale: 'en-US',
    timezoneId: 'Asia/Jakarta',
    // Taking one costs a tenth of the time. `npm run e2e` says how to have it of a test that failed.
    trace: 'off',
    ...launch(),
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: [touch, plainHttp, noJavaScript, bfcache],
      use: { ...devices['Desktop Chrome'], locale: 'en-US' },
    },
    {
      name: 'phone',
      grep: /@phone/,
      // About as slow as a cheap phone.
      use: { ...devices['Pixel 7'], locale: 'en-US', slowdown: 4 },
    },
    { name: 'no JavaScript', testMatch: noJavaScript, use: { javaScriptEnabled: false } },
    { name: 'back/forward cache', testMatch: bfcache, use: launch(bfcacheLaunchOptions) },
    {
      name: 'plain http',
      testMatch: plainHttp,
      use: {
        baseURL: baseURL.replace(/\/\/[^/:]+/, `//${plainHost}`),
        ...launch({ args: [`--host-resolver-rules=MAP ${plainHost} 127.0.0.1`] }),
      },
    },
  ],
});
