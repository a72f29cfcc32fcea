import { randomUUID } from 'node:crypto';
import {
  type CreatePayment,
  type Order,
  orderSchema,
  type PutOrder,
  type Summary,
  sandboxSchema,
  summarySchema,
  type TestCard,
} from '@pay-once/contracts';
import { type HttpRequest, type Reply, send } from './http-request.js';

/** Seeded concerts, by how many seats a new sandbox has of them. */
export const CONCERT_OF_500_SEATS = '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000001';
export const CONCERT_OF_300_SEATS = '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000002';
export const CONCERT_OF_2_SEATS = '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000003';

/** The statement that finds out who is asking, by a hash; of a request that is refused it is the only one. */
export const LOOK_UP =
  'select id, array(select name from migrations) as migrations from sandboxes where token_hash = $1';

/** Like a request, with the credential added. */
export type ShopperRequest = Omit<HttpRequest, 'method'>;

interface PayOptions extends ShopperRequest {
  key: string;
}

/** One sandbox and whoever holds its token. */
export class Shopper {
  constructor(
    readonly url: string,
    readonly sandboxId: string,
    readonly token: string,
    /** What was asked and answered, to be read when a test fails. */
    readonly journal: string[] = [],
  ) {}

  static async arrive(url: string): Promise<Shopper> {
    const reply = await send(`${url}/api/sandboxes`, { method: 'POST', body: {} });
    const { id, token } = sandboxSchema.parse(JSON.parse(reply.text));
    if (token === undefined) throw new Error('The first answer holds no token.');
    return new Shopper(url, id, token);
  }

  /** The same sandbox at another API process. */
  at(url: string): Shopper {
    return new Shopper(url, this.sandboxId, this.token, this.journal);
  }

  async send(method: string, path: string, { headers, body }: ShopperRequest = {}): Promise<Reply> {
    const authorization = `Bearer ${this.token}`;
    const reply = await send(this.url + path, { method, body, headers: { authorization, ...headers } });
    const key = headers?.['idempotency-key'];
    this.journal.push(`${method} ${path} ${key ?? ''} → ${reply.status} ${reply.text.slice(0, 300)}`);
    return reply;
  }

  /** Makes an order; without `items`, of one cheap seat. */
  async order(items: PutOrder['items'] = [{ concertId: CONCERT_OF_500_SEATS, quantity: 1 }]): Promise<Order> {
    const reply = await this.send('PUT', `/api/orders/${randomUUID()}`, { body: { items } });
    return orderSchema.parse(JSON.parse(reply.text));
  }

  /** Sends a payment of the order; `body` and `headers` replace what a good client would send. */
  pay(order: Order, { key, headers, body = balancePayment(order) }: PayOptions): Promise<Reply> {
    return this.send('POST', `/api/orders/${order.id}/payments`, {
      headers: { 'idempotency-key': key, ...headers },
      body,
    });
  }

  async show(order: Order): Promise<Order> {
    return orderSchema.parse(JSON.parse((await this.send('GET', `/api/orders/${order.id}`)).text));
  }

  async setBalance(amountMinor: number): Promise<Reply> {
    return this.send('PUT', '/api/sandbox/balance', { body: { amountMinor } });
  }

  async summary(): Promise<Summary> {
    return summarySchema.parse(JSON.parse((await this.send('GET', '/api/summary')).text));
  }
}

/** The body that pays this order by card. */
export function cardPayment({ amountMinor, currency }: Order, card: TestCard): CreatePayment {
  return { amountMinor, currency, method: { type: 'card', card } };
}

/** The body that pays this order from the balance. */
export function balancePayment({ amountMinor, currency }: Order): CreatePayment {
  return { amountMinor, currency, method: { type: 'balance' } };
}
