import type { Order } from '@pay-once/contracts';
import { expect, type Locator, type Page } from '@playwright/test';

/** The page of a paid order, where its money is given back. */
export class RefundPage {
  readonly unfold: Locator;
  readonly amount: Locator;
  readonly press: Locator;
  readonly form: Locator;
  readonly retrySafely: Locator;

  constructor(readonly page: Page) {
    this.unfold = page.getByRole('button', { name: /^(Ask for a refund|Minta pengembalian uang)$/ });
    this.amount = page.getByRole('textbox', { name: /^(Amount to give back|Jumlah yang dikembalikan)/ });
    this.press = page.getByRole('button', { name: /^(Refund this amount|Kembalikan jumlah ini)$/ });
    this.form = page.locator('form').filter({ has: this.press });
    this.retrySafely = page.getByRole('button', { name: /^(Try again safely|Coba lagi dengan aman)$/ });
  }

  /** Opens the page as a document of its own, with the form unfolded. `amount`: what to write into it. */
  async open(order: Order, amount?: string): Promise<void> {
    await this.page.goto(`/orders/${order.id}`);
    await this.unfold.click();
    await expect(this.amount).toBeVisible();
    if (amount !== undefined) await this.amount.fill(amount);
  }

  notice(title: string | RegExp): Locator {
    return this.page.getByRole('region', { name: title });
  }

  /** The names of all that the browser keeps of refunds without an answer. */
  storedNames(): Promise<string[]> {
    return this.page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes(':refund:')));
  }

  /** Takes the luck out of the pauses between attempts: each is as short as it may be. */
  async hurry(): Promise<void> {
    await this.page.addInitScript(() => {
      Math.random = () => 0;
    });
  }
}
