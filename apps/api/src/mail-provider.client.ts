import type { Mail } from '@pay-once/contracts';

/** It is not certain that the provider has the mail: no answer, or none that says so. */
export class MailUnknownError extends Error {
  override readonly name = 'MailUnknownError';
}

/** The mail provider, which sends a mail once for each key. */
export class MailProviderClient {
  constructor(private readonly options: { url: string; timeoutMs: number }) {}

  /**
   * Resolves when the provider has taken the mail, now or under the same key before. Rejects with
   * `MailUnknownError` after any other answer, or none: only the same key with the same mail may be sent again.
   */
  async send(mail: Mail, idempotencyKey: string): Promise<void> {
    const status = await this.post(mail, idempotencyKey);
    if (status !== 201) throw new MailUnknownError(`The mail provider answered ${status}.`);
  }

  private async post(mail: Mail, idempotencyKey: string): Promise<number> {
    try {
      const response = await fetch(new URL('/mails', this.options.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(mail),
        redirect: 'manual',
        signal: AbortSignal.timeout(this.options.timeoutMs),
      });
      // An answer that breaks off is no answer.
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      throw new MailUnknownError('The mail provider gave no answer.', { cause: error });
    }
  }
}
