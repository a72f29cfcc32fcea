import type { Locator, Page } from '@playwright/test';

export const letter = {
  name: 'Ayu Lestari',
  email: 'ayu@example.com',
  text: 'May I bring my drum?',
};

/** The contact form, in the words of a person. */
export class ContactPage {
  readonly name: Locator;
  readonly email: Locator;
  readonly text: Locator;
  readonly send: Locator;
  readonly form: Locator;
  readonly retrySafely: Locator;
  readonly another: Locator;

  constructor(readonly page: Page) {
    this.name = page.getByRole('textbox', { name: /^(Your name|Nama Anda)$/ });
    this.email = page.getByRole('textbox', { name: /^(Your email address|Alamat email Anda)$/ });
    this.text = page.getByRole('textbox', { name: /^(Your message|Pesan Anda)$/ });
    this.send = page.getByRole('button', { name: /^(Send the message|Kirim pesan)$/ });
    this.form = page.locator('form').filter({ has: this.name });
    this.retrySafely = page.getByRole('button', { name: /^(Try again safely|Coba lagi dengan aman)$/ });
    this.another = page.getByRole('button', { name: /^(Write another message|Tulis pesan lain)$/ });
  }

  /** Opens the form and fills it in. */
  async write(message = letter): Promise<void> {
    await this.page.goto('/contact');
    await this.fill(message);
  }

  async fill(message: typeof letter): Promise<void> {
    await this.name.fill(message.name);
    await this.email.fill(message.email);
    await this.text.fill(message.text);
  }

  notice(title: string): Locator {
    return this.page.getByRole('region', { name: title });
  }

  /** The names of all that the browser keeps of messages without an answer. */
  storedNames(): Promise<string[]> {
    return this.page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes(':message:')));
  }

  /** Takes the luck out of the pauses between attempts: each is as short as it may be. */
  async hurry(): Promise<void> {
    await this.page.addInitScript(() => {
      Math.random = () => 0;
    });
  }
}
