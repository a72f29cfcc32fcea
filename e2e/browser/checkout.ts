import type { Order, TestCard } from '@pay-once/contracts';
import { expect, type Locator, type Page } from '@playwright/test';
import { bodyFor } from './shop.js';
import { words } from './words.js';

/** What the client keeps for an order until it has a final answer. */
export interface Intent {
  key: string;
  operation: string;
  body: string;
  createdAt: string;
  expiresAt: string;
}

/** What happens on the way to the server is the same for both, and so are the tests of it. */
export const methods = ['balance', 'card'] as const;
export type Method = (typeof methods)[number];

const hourMs = 60 * 60 * 1000;

/** The pages of one order, in the words of a person: the checkout, and the receipt that takes its place. */
export class Checkout {
  readonly pay: Locator;
  readonly form: Locator;
  readonly retrySafely: Locator;
  readonly receipt: Locator;
  readonly seeReceipt: Locator;
  readonly cardMethod: Locator;
  readonly card: Locator;

  constructor(
    readonly page: Page,
    private readonly pointer: 'mouse' | 'finger' = 'mouse',
  ) {
    this.pay = page.getByRole('button', { name: /^(Pay|Bayar) Rp/ });
    this.form = page.locator('form').filter({ has: this.pay });
    this.retrySafely = page.getByRole('button', { name: /^(Try again safely|Coba lagi dengan aman)$/ });
    this.receipt = page.getByRole('heading', { name: /^(Receipt|Tanda terima)$/ });
    this.cardMethod = page.getByRole('radio', { name: /^(Test card|Kartu uji)$/ });
    this.card = page.getByRole('combobox', {
      name: /what the card network does|yang dilakukan jaringan kartu/i,
    });
    this.seeReceipt = page.getByRole('link', { name: /^(See the receipt|Lihat tanda terima)$/ });
  }

  /** Opens the order's checkout as a document of its own, ready to be paid. */
  async open(order: Order): Promise<void> {
    await this.page.goto(`/checkout/${order.id}`);
    await expect(this.pay).toBeVisible();
  }

  /** Presses a button, Pay unless told, with what this device is used with. */
  async press(button: Locator = this.pay): Promise<void> {
    await (this.pointer === 'finger' ? button.tap() : button.click());
  }

  async openToPayBy(method: Method, order: Order): Promise<void> {
    await this.open(order);
    await this.choose(method);
  }

  /** Opens the checkout and chooses a test card. */
  async openWithCard(order: Order, card: TestCard): Promise<void> {
    await this.open(order);
    await this.chooseCard(card);
  }

  /** Chooses how an opened checkout is paid: by the balance, which is chosen already, or by a card that is approved. */
  async choose(method: Method): Promise<void> {
    if (method === 'card') await this.chooseCard('card_visa_approved');
  }

  async chooseCard(card: TestCard): Promise<void> {
    await this.press(this.cardMethod);
    await this.card.selectOption(card);
  }

  /** The part of the page that tells an outcome, by its first line. */
  notice(title: string | RegExp): Locator {
    return this.page.getByRole('region', { name: title });
  }

  /** The receipt is there with these words, and nothing that could be pressed to pay. */
  async expectReceipt(title: string | RegExp = words.en.paid): Promise<void> {
    await expect(this.notice(title)).toBeVisible();
    await expect(this.receipt).toBeVisible();
    await expect(this.pay).toHaveCount(0);
    await expect(this.retrySafely).toHaveCount(0);
  }

  /** The order is shown as paid: by its receipt, or by a checkout that leads to it and offers nothing to pay. */
  async expectPaid(): Promise<void> {
    await expect(this.receipt.or(this.seeReceipt)).toBeVisible();
    await expect(this.pay).toHaveCount(0);
    await expect(this.retrySafely).toHaveCount(0);
  }

  /** Waits until the outcome is said to be unknown, with nothing to press that could pay. */
  async expectUnknown(): Promise<void> {
    await expect(this.notice(words.en.unknown)).toBeVisible();
    await expect(this.pay).toHaveCount(0);
  }

  async storedIntent(order: Order): Promise<Intent | null> {
    const text = await this.page.evaluate((name) => localStorage.getItem(name), storageName(order));
    return text === null ? null : JSON.parse(text);
  }

  /** Puts an intent where the page will find it: in the document that is open, or before the next one starts. */
  async storeIntent(
    order: Order,
    given: Partial<Intent> & { key: string },
    when: 'now' | 'next document',
  ): Promise<void> {
    const intent: Intent = {
      operation: 'payments.create',
      body: JSON.stringify(bodyFor(order)),
      createdAt: new Date(Date.now() - hourMs).toISOString(),
      expiresAt: new Date(Date.now() + hourMs).toISOString(),
      ...given,
    };
    const entry: [string, string] = [storageName(order), JSON.stringify(intent)];
    const write = ([name, text]: [string, string]) => {
      // The document that comes after this one must find what this one left, not this again.
      if (sessionStorage.getItem(name) !== null) return;
      sessionStorage.setItem(name, 'written');
      localStorage.setItem(name, text);
    };
    if (when === 'now') await this.page.evaluate(write, entry);
    else await this.page.addInitScript(write, entry);
  }

  /** Takes the luck out of the pauses between attempts: each is as short as it may be. */
  async hurry(): Promise<void> {
    await this.page.addInitScript(() => {
      Math.random = () => 0;
    });
  }
}

function storageName(order: Order): string {
  return `pay-once:order:${order.id}`;
}
