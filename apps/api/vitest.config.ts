import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['../../scripts/vitest-postgres.mjs', 'test/template-database.ts'],
    // A test file is a worker, an API process and a few Postgres backends: more at once than this only take turns.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
