import type { CardOperations, Order } from '@pay-once/contracts';
import { expect } from '@playwright/test';
import type { Shop } from './shop.js';

type Operation = CardOperations['operations'][number];

/** The most rows that the network lists at once. */
const pageRowsMax = 1_000;

/** The card network's own record: a witness that neither the page nor the shop can speak for. */
export class CardNetwork {
  private readonly url: string;

  constructor() {
    const url = process.env['CARD_NETWORK_URL'];
    if (url === undefined) throw new Error('CARD_NETWORK_URL is not set. Start with `npm run e2e`.');
    this.url = url;
  }

  /** What was authorised for the payments of an order, in the order of time. */
  async authorisations(shop: Shop, order: Order): Promise<Pick<Operation, 'status' | 'amountMinor'>[]> {
    const paymentIds = await idsOf(shop, order);
    const all = await this.operations();
    return all
      .filter(({ kind, reference }) => kind === 'authorisation' && paymentIds.includes(reference))
      .map(({ status, amountMinor }) => ({ status, amountMinor }));
  }

  /** What was given back of the payments of an order, in the order of time. */
  async refunds(shop: Shop, order: Order): Promise<Pick<Operation, 'status' | 'amountMinor'>[]> {
    const paymentIds = await idsOf(shop, order);
    const all = await this.operations();
    return all
      .filter(({ authorisation }) => authorisation !== null && paymentIds.includes(authorisation))
      .map(({ status, amountMinor }) => ({ status, amountMinor }));
  }

  /** The order was authorised once, for what it cost, and before that only declined. */
  async expectAuthorisedOnce(
    shop: Shop,
    order: Order,
    options: { declinesBefore?: number } = {},
  ): Promise<void> {
    const { amountMinor } = order;
    const declined = { status: 'declined', amountMinor };
    expect(await this.authorisations(shop, order)).toEqual([
      ...Array<typeof declined>(options.declinesBefore ?? 0).fill(declined),
      { status: 'approved', amountMinor },
    ]);
  }

  /** The next refund, of whatever test, is applied and its answer lost. */
  async loseNextRefundReply(): Promise<void> {
    const reply = await fetch(`${this.url}/admin/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fault: 'reply_lost', on: 'refunds' }),
    });
    expect(reply.status).toBe(204);
  }

  private async operations(): Promise<Operation[]> {
    const rows: Operation[] = [];
    for (;;) {
      const after = rows.at(-1)?.sequence ?? 0;
      const reply = await fetch(`${this.url}/operations?after=${after}&limit=${pageRowsMax}`);
      const { operations } = (await reply.json()) as CardOperations;
      rows.push(...operations);
      if (operations.length < pageRowsMax) return rows;
    }
  }
}

async function idsOf(shop: Shop, order: Order): Promise<string[]> {
  return (await shop.readOrder(order.id)).payments.map(({ id }) => id);
}
