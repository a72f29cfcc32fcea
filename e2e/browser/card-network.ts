import type { CardOperations, Order } from '@pay-once/contracts';
import { expect } from '@playwright/test';
import pg from 'pg';
import type { Shop } from './shop.js';

type Operation = CardOperations['operations'][number];

/** The most rows that the network lists at once. */
const pageRowsMax = 1_000;

/** The card network's own record: a witness that neither the page nor the shop can speak for. */
export class CardNetwork {
  private readonly url = setting('CARD_NETWORK_URL');

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

  /** The next refund that any test asks for is applied and its answer lost: see `Ledger.refundAlone`. */
  loseNextRefundReply(): Promise<void> {
    return this.arm({ fault: 'reply_lost', on: 'refunds' });
  }

  /**
   * Lets the answer to a payment get lost before anything was done, and declines the payment when it is asked for again.
   * `press` pays the order with `card_request_lost`.
   */
  async declineWhenAskedAgain(shop: Shop, order: Order, press: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: setting('CARD_NETWORK_DATABASE_URL') });
    await client.connect();
    try {
      // The network has to remember that card's payment before it loses it. It waits here until it is told the rest.
      await client.query('begin; lock table heard_references in exclusive mode');
      await press();
      await expect.poll(() => idsOf(shop, order)).toHaveLength(1);
      const [reference = ''] = await idsOf(shop, order);
      // Whether the network has heard of the payment by now is open: the first of these makes it all the same.
      await this.arm({ fault: 'request_lost', on: 'authorisations', reference });
      await this.arm({ fault: 'decline', on: 'authorisations', reference });
    } finally {
      await client.end();
    }
  }

  private async arm(fault: { fault: string; on: string; reference?: string }): Promise<void> {
    const reply = await fetch(`${this.url}/admin/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
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

function setting(name: 'CARD_NETWORK_URL' | 'CARD_NETWORK_DATABASE_URL'): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set. Start with \`npm run e2e\`.`);
  return value;
}
