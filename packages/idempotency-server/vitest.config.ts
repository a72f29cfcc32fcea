import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // The example of the README names the package as its readers do.
    alias: { '@pay-once/idempotency-server': fileURLToPath(new URL('src/index.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['../../scripts/vitest-postgres.mjs', 'fixture/build.mjs'],
    // The files keep nothing in modules, and loading TypeORM anew for each would be most of the time.
    isolate: false,
    testTimeout: 30_000,
    // Processes and servers take long to start on a machine that is busy with other things.
    hookTimeout: 120_000,
  },
});
