import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: {
      // The example of the README names the package as its readers do.
      '@pay-once/idempotency-client/react': fileURLToPath(new URL('src/react.ts', import.meta.url)),
    },
  },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    testTimeout: 20_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
