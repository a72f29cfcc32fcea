import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server for one test and lets the page's relative addresses lead to it, as a browser would. */
export async function startApi(listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const withoutPage = globalThis.fetch;
  globalThis.fetch = (path, init) => withoutPage(new URL(String(path), `http://127.0.0.1:${port}`), init);
  onTestFinished(() => {
    globalThis.fetch = withoutPage;
    server.close();
    server.closeAllConnections();
  });
}
