import { defineConfig } from '@playwright/test';
import tests from './playwright.config.js';

// Takes a picture of every screen and state: `npm run screens`. The rest is as for the tests.
export default defineConfig({
  ...tests,
  testDir: 'screens',
  timeout: 120_000,
  projects: [{ name: 'screens' }],
});
