import { randomUUID } from 'node:crypto';
import type { Cart, Order, Refund, Sandbox, Summary, TestCard } from '@pay-once/contracts';
import { type APIRequestContext, type APIResponse, expect } from '@playwright/test';
import type { Books, Ledger } from './ledger.js';

export const concerts = {
  /** Rp1.500.000 a seat. */
  monsoonStrings: '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000002',
  /** Rp750.000 a seat, two seats for each sandbox. */
  nightTrain: '0a6f1c1e-5b7d-4c1a-9d5e-1f0000000003',
} as const;

export const paymentsUrl = '**/api/orders/*/payments';
export const refundsUrl = '**/api/payments/*/refunds';
export const messagesUrl = '**/api/messages';
export const orderUrl = /\/api\/orders\/[^/]+$/;

/** What was recorded for an order: by the API's own account, and by the tables. */
interface Recorded extends Books {
  status: Order['status'];
  summary: Summary['charges'];
}

/** A sandbox of the test's own, whose cookie the browser has, and what another device of the same person can do in it. */
export class Shop {
  private constructor(
    private readonly api: APIRequestContext,
    readonly ledger: Ledger,
    readonly sandboxId: string,
  ) {}

  static async open(api: APIRequestContext, ledger: Ledger): Promise<Shop> {
    const made = await api.post('/api/sandboxes', { data: { session: 'cookie' } });
    const { id }: Sandbox = await jsonOf(made);
    return new Shop(api, ledger, id);
  }

  /** Makes an unpaid order; of one seat for Rp1.500.000 unless told. */
  async order(concertId: string = concerts.monsoonStrings, quantity = 1): Promise<Order> {
    const data = { items: [{ concertId, quantity }] };
    return jsonOf(await this.api.put(`/api/orders/${randomUUID()}`, { data }));
  }

  async readOrder(orderId: string): Promise<Order> {
    return jsonOf(await this.api.get(`/api/orders/${orderId}`));
  }

  async readCart(): Promise<Cart> {
    return jsonOf(await this.api.get('/api/cart'));
  }

  async setBalance(amountMinor: number): Promise<void> {
    await jsonOf(await this.api.put('/api/sandbox/balance', { data: { amountMinor } }));
  }

  async putInCart(concertId: string, quantity: number): Promise<void> {
    await jsonOf(await this.api.put(`/api/cart/items/${concertId}`, { data: { quantity } }));
  }

  /** Pays from another device: the browser's storage hears nothing of it. */
  async payElsewhere(order: Order, key?: string): Promise<void> {
    expect((await this.pay(order, bodyFor(order), key)).status()).toBe(201);
  }

  /** Presses Pay on another device, from a balance that is not enough. */
  async declineElsewhere(order: Order): Promise<void> {
    expect((await this.pay(order, bodyFor(order))).status()).toBe(402);
  }

  /** Pays there with a test card, up to the first answer of the server. */
  async payElsewhereByCard(order: Order, card: TestCard): Promise<void> {
    await jsonOf(await this.pay(order, bodyFor(order, card)));
  }

  /** Gives back from another device. */
  async refundElsewhere(order: Order, amountMinor: number): Promise<Refund> {
    const { payments } = await this.readOrder(order.id);
    const payment = payments.find(({ status }) => status === 'succeeded');
    const answer = await this.api.post(`/api/payments/${payment?.id}/refunds`, {
      data: { amountMinor },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    return jsonOf(answer);
  }

  async readBalance(): Promise<number> {
    const { balance }: Sandbox = await jsonOf(await this.api.get('/api/sandbox'));
    return balance.amountMinor;
  }

  async readCharges(): Promise<number> {
    const { charges }: Summary = await jsonOf(await this.api.get('/api/summary'));
    return charges.count;
  }

  /** The order is paid by exactly one charge of what it cost. `before`: the answers of refused payments before that. */
  async expectChargedOnce(order: Order, options: { declinesBefore?: number } = {}): Promise<void> {
    const declines = options.declinesBefore ?? 0;
    expect(await this.recorded(order)).toEqual({
      status: 'paid',
      summary: { count: 1, amountMinor: order.amountMinor },
      payments: [...Array<string>(declines).fill('declined'), 'succeeded'],
      charges: [order.amountMinor],
      answers: [...Array<number>(declines).fill(402), 201],
      unfinishedKeys: 0,
      unaccounted: 0,
    });
  }

  /** The order is unpaid, and nothing in this sandbox was ever charged. */
  async expectNothingCharged(order: Order, options: { declines?: number } = {}): Promise<void> {
    const declines = options.declines ?? 0;
    expect(await this.recorded(order)).toEqual({
      status: 'unpaid',
      summary: { count: 0, amountMinor: 0 },
      payments: Array<string>(declines).fill('declined'),
      charges: [],
      answers: Array<number>(declines).fill(402),
      unfinishedKeys: 0,
      unaccounted: 0,
    });
  }

  private pay(order: Order, data: object, key: string = randomUUID()): Promise<APIResponse> {
    const headers = { 'Idempotency-Key': key };
    return this.api.post(`/api/orders/${order.id}/payments`, { data, headers });
  }

  async recorded(order: Order): Promise<Recorded> {
    const { charges: summary }: Summary = await jsonOf(await this.api.get('/api/summary'));
    const { status, payments } = await this.readOrder(order.id);
    const books = await this.ledger.read(this.sandboxId, order.id);
    expect(payments.map((payment) => payment.status)).toEqual(books.payments);
    return { status, summary, ...books };
  }
}

export function bodyFor({ amountMinor, currency }: Order, card?: TestCard) {
  const method = card === undefined ? { type: 'balance' } : { type: 'card', card };
  return { amountMinor, currency, method };
}

async function jsonOf(response: APIResponse) {
  if (!response.ok())
    throw new Error(`${response.url()} answered ${response.status()}: ${await response.text()}`);
  return response.json();
}
