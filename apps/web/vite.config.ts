import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledMessages } from './compiled-messages';

const api = {
  target: process.env['API_URL'] ?? 'http://127.0.0.1:3000',
  // The API compares Origin with Host: a proxy that changed Host would look like another site.
  changeOrigin: false,
};

export default defineConfig({
  plugins: [react(), tailwindcss(), compiledMessages()],
  build: {
    // The pages are served with `script-src 'self'; style-src 'self'`: nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': api,
      '/problems': api,
      '/healthz': api,
      '/readyz': api,
      // The page of a checkout is ours; what its plain form posts is not.
      '^/checkout/[^/]+/pay$': api,
    },
  },
});
