import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from '@playwright/test';

export interface SmallShop {
  url: string;
  mayCharge: (request: Request) => boolean;
  readCharges: () => Promise<number>;
  close: () => Promise<void>;
}

/**
 * A shop of one page. The careless one does what many shops do: it makes a new key for each press, says "failed" when
 * it does not know, and sends by itself when the network is back. The careful one keeps one key in storage and sends
 * only what is pressed, and its server charges once for a key.
 */
export async function openSmallShop(kind: 'careless' | 'careful'): Promise<SmallShop> {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      keys.push(String(request.headers['idempotency-key']));
      response.writeHead(201).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(request.url === '/' ? page(kind) : 'Elsewhere');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mayCharge: (request) => request.method() === 'POST',
    readCharges: async () => (kind === 'careless' ? keys.length : new Set(keys).size),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function page(kind: 'careless' | 'careful'): string {
  return `<!doctype html><title>Shop</title>
<form><input aria-label="Name"><button>Pay</button></form><p role="status"></p>
<script>
  const form = document.querySelector('form');
  const status = document.querySelector('p');
  const newKey = () => String(Math.random());
  function keptKey() {
    const key = localStorage.getItem('key') ?? newKey();
    localStorage.setItem('key', key);
    return key;
  }
  const keyOf = { careless: newKey, careful: keptKey }.${kind};
  async function pay() {
    if (!navigator.onLine) return status.textContent = 'You are offline.';
    status.textContent = await fetch('/charge', { method: 'POST', headers: { 'Idempotency-Key': keyOf() } })
      .then(() => 'Paid', () => 'Failed, try again');
  }
  form.onsubmit = (event) => { event.preventDefault(); void pay(); };
  ${kind === 'careless' ? "window.addEventListener('online', () => void pay());" : ''}
</script>`;
}
