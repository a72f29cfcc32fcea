import type { BrowserContext, Page, Request } from '@playwright/test';
import { signal } from './payment-gestures/signal.js';
import { paymentsUrl } from './shop.js';

interface SentPayment {
  page: Page;
  path: string;
  key: string | undefined;
  body: string | null;
}

/** Every request of the browser that may pay, or may do what the test is about, in the order of their leaving. */
export class PaymentRequests {
  readonly sent: SentPayment[] = [];
  private readonly requests: Request[] = [];

  constructor(context: BrowserContext, isOne: (request: Request) => boolean = mayCharge) {
    context.on('request', (request) => {
      if (!isOne(request)) return;
      this.requests.push(request);
      this.sent.push({
        page: request.frame().page(),
        path: new URL(request.url()).pathname,
        key: request.headers()['idempotency-key'],
        body: request.postData(),
      });
    });
  }

  get count(): number {
    return this.sent.length;
  }

  /** The different keys among them. */
  get keys(): (string | undefined)[] {
    return [...new Set(this.sent.map((payment) => payment.key))];
  }

  /** The statuses that the browser saw; `null` for what got no answer. */
  statuses(): Promise<(number | null)[]> {
    return Promise.all(
      this.requests.map(async (request) => (await request.response().catch(() => null))?.status() ?? null),
    );
  }
}

export function mayCharge(request: Request): boolean {
  const { pathname } = new URL(request.url());
  return request.method() === 'POST' && (/^\/api\/orders\//.test(pathname) || /^\/checkout\//.test(pathname));
}

export function mayRefund(request: Request): boolean {
  return request.method() === 'POST' && new URL(request.url()).pathname.endsWith('/refunds');
}

export function maySendMessage(request: Request): boolean {
  return request.method() === 'POST' && new URL(request.url()).pathname === '/api/messages';
}

/** The body of the next answer to a payment. It is read on its way: browsers need not keep what the page leaves unread. */
export async function readNextAnswer(page: Page): Promise<{ body: Promise<unknown> }> {
  const body = signal<unknown>();
  await page.route(
    paymentsUrl,
    async (route) => {
      const response = await route.fetch();
      body.fire(await response.json());
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return { body: body.promise };
}
