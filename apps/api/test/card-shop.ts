import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { runProgram } from './api-process.js';
import { CardNetwork } from './card-network-process.js';
import { Shop, until } from './shop.js';
import type { Shopper } from './shopper.js';
import { startWorker, type WorkerProcess } from './worker-process.js';

/** Short waits, so that an answer that never comes is soon known to be missing. */
const SHOP_SETTINGS = { CARD_NETWORK_TIMEOUT_MS: '1500' };

interface CardShopOptions {
  shop?: Record<string, string>;
  network?: Record<string, string>;
  /** What reconciliation finds when the file is through, in the order of the alphabet. Nothing, when left out. */
  differences?: string[];
}

/** A shop with a card network of its own, both opened before the file's tests and closed after them. */
export class CardShop extends Shop {
  #network: CardNetwork | undefined;

  get network(): CardNetwork {
    if (this.#network === undefined) throw new Error('The shop is not open.');
    return this.#network;
  }

  async openWith({ shop, network }: CardShopOptions): Promise<void> {
    this.#network = await CardNetwork.open(network);
    await this.open({ ...SHOP_SETTINGS, CARD_NETWORK_URL: this.network.url, ...shop });
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#network?.close();
  }

  /** A worker of this shop; it ends with the test. `url`: how it reaches the database, else directly. */
  startWorker({
    url = this.databaseUrls.run,
    env,
  }: {
    url?: string;
    env?: Record<string, string>;
  } = {}): Promise<WorkerProcess> {
    return startWorker(this.workerOptions(url, env));
  }

  workerOptions(
    url = this.databaseUrls.run,
    env: Record<string, string> = {},
  ): Parameters<typeof startWorker>[0] {
    const settings = { ...SHOP_SETTINGS, CARD_NETWORK_URL: this.network.url, ...env };
    return { databaseUrl: url, mailProviderUrl: this.network.url, env: settings };
  }

  /** Resolves when the order's only payment has this status. */
  async untilPayment(shopper: Shopper, status: string): Promise<void> {
    await until(async () => (await this.recorded(shopper)).payments.at(-1) === status);
  }

  /** Asserts that this shopper paid once: in the books, in the order, and by the network's own record. */
  async expectPaidOnceByCard(shopper: Shopper): Promise<void> {
    expect(await this.recorded(shopper)).toMatchObject({ charges: 1, ordersPaid: 1 });
    expect((await this.operationsOf(shopper)).map(({ status }) => status)).toEqual(['approved']);
  }

  /** Reconciles once, as an operator would, and returns a line for each difference. */
  async reconcile(): Promise<string[]> {
    const program = runProgram('reconcile-command.js', {
      DATABASE_URL: this.databaseUrls.run,
      CARD_NETWORK_URL: this.network.url,
    });
    const code = await program.ended;
    const lines = program
      .output()
      .split('\n')
      .filter((line) => line !== '');
    if (code !== (lines.length === 0 ? 0 : 1)) throw new Error(`${code}: ${program.output()}`);
    return lines;
  }

  /** What the network has done for this shopper's payments. */
  async operationsOf({ sandboxId }: Shopper): Promise<Awaited<ReturnType<CardNetwork['operations']>>> {
    const payments = await this.sql<{ id: string }>('select id from payments where sandbox_id = $1', [
      sandboxId,
    ]);
    const ids = new Set(payments.map(({ id }) => id));
    return (await this.network.operations()).filter(({ reference }) => ids.has(reference));
  }
}

export function useCardShop(options: CardShopOptions = {}): CardShop {
  const shop = new CardShop({});
  beforeAll(() => shop.openWith(options));
  afterEach(async ({ task }) => {
    shop.letGo();
    const report = shop.takeReport();
    if (task.result?.state === 'fail') console.error(`${task.name}\n${report}`);
  });
  afterAll(async () => {
    try {
      const lines = await shop.reconcile();
      expect(lines.map((line) => line.split('  ')[1]).sort()).toEqual(options.differences ?? []);
    } finally {
      await shop.close();
    }
  });
  return shop;
}
