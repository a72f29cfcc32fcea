import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../observability/metrics.js';
import type { Duty } from './duty.js';

/** Tells whoever watches a worker what it does: `/metrics`, and `/healthz` while it lives. */
export class MetricsServer implements Duty {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #stopCounting = (): void => undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly address: { port: number; host: string },
  ) {}

  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async start(): Promise<void> {
    this.#stopCounting = this.metrics.countKeys();
    this.#server.listen(this.address.port, this.address.host);
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#stopCounting();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer({ url, method }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { registry } = this.metrics;
    const asked = method === 'GET' || method === 'HEAD' ? url?.split('?', 1)[0] : undefined;
    if (asked === '/healthz') {
      response.setHeader('content-type', 'application/json');
      response.end('{"status":"ok"}');
    } else if (asked === '/metrics') {
      const metrics = await registry.metrics();
      response.setHeader('content-type', registry.contentType);
      response.end(metrics);
    } else {
      response.writeHead(404).end();
    }
  }
}
