import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const web = fileURLToPath(new URL('../../apps/web', import.meta.url));

interface DevelopmentServer {
  url: string;
  close: () => Promise<void>;
}

/**
 * Serves the development build of the pages, which `npm run dev` opens, on a free port; what they ask goes on to the app
 * at `apiUrl`. `folder` takes what it prepares and must be this server's own: two of them would prepare it at once.
 */
export async function openDevelopmentServer(apiUrl: string, folder: string): Promise<DevelopmentServer> {
  process.env['API_URL'] = apiUrl;
  const server = await createServer({
    root: web,
    cacheDir: join(folder, 'node_modules', '.vite'),
    logLevel: 'error',
    // A source that somebody changes meanwhile must not reload the page under the test.
    server: { host: '127.0.0.1', port: 0, watch: null },
  });
  await server.listen();
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
