import { idSchema, type Mail } from '@pay-once/contracts';
import { z } from 'zod';
import { readBoundedText } from './bounded-text.js';

/** It is not certain that the provider has the mail: no answer, or none that says so. */
export class MailUnknownError extends Error {
  override readonly name = 'MailUnknownError';
}

/** What the provider says of a mail that it has. */
const takenSchema = z.object({ id: idSchema });

/** Many times what the provider has to say; an answer that does not end fills no memory. */
const ANSWER_BYTES_MAX = 16 * 1024;

/** The mail provider, which sends a mail once for each key. */
export class MailProviderClient {
  constructor(private readonly options: { url: string; timeoutMs: number }) {}

  /**
   * Resolves when the provider has taken the mail, now or under the same key before. Rejects with
   * `MailUnknownError` after any other answer, or none: only the same key with the same mail may be sent again.
   */
  async send(mail: Mail, idempotencyKey: string): Promise<void> {
    const { status, text } = await this.post(mail, idempotencyKey);
    if (status !== 201) throw new MailUnknownError(`The mail provider answered ${status}.`);
    if (!isTaken(text)) throw new MailUnknownError('The mail provider’s answer cannot be read.');
  }

  private async post(mail: Mail, idempotencyKey: string): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(new URL('/mails', this.options.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(mail),
        redirect: 'manual',
        signal: AbortSignal.timeout(this.options.timeoutMs),
      });
      return { status: response.status, text: await readBoundedText(response, ANSWER_BYTES_MAX) };
    } catch (error) {
      throw new MailUnknownError('The mail provider gave no whole answer.', { cause: error });
    }
  }
}

function isTaken(text: string): boolean {
  try {
    return takenSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
