import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Mail, mailSchema } from '@pay-once/contracts';
import { afterAll, beforeAll } from 'vitest';

/** What goes wrong with one request: before the mail is stored, or after it. */
export type MailFault = 'refused' | 'reply lost' | 'silent' | 'stored, then silent';

export interface StoredMail extends Mail {
  id: string;
  key: string;
}

/** The outside world of these tests: a mail provider that keeps one mail for each key, and fails when it is told to. */
export class MailProvider {
  readonly mails: StoredMail[] = [];
  /** How often it was asked for each key. */
  readonly asked = new Map<string, number>();
  readonly #server: Server;
  readonly #faults: { to: (mail: Mail) => boolean; faults: MailFault[] }[] = [];

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** The next requests for mails like this one meet these faults, one each. */
  fail(to: (mail: Mail) => boolean, ...faults: MailFault[]): void {
    this.#faults.push({ to, faults });
  }

  mailsTo(address: string): StoredMail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mail = mailSchema.parse(JSON.parse(await text(request)));
    const key = String(request.headers['idempotency-key']);
    this.asked.set(key, (this.asked.get(key) ?? 0) + 1);
    const fault = this.#faults.find(({ to, faults }) => faults.length > 0 && to(mail))?.faults.shift();
    if (fault === 'refused') return void response.writeHead(500).end();
    if (fault === 'silent') return;
    const stored = this.#store(mail, key);
    if (fault === 'reply lost') return void request.socket.destroy();
    if (fault === 'stored, then silent') return;
    if (stored === undefined) return void response.writeHead(422).end();
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: stored.id }));
  }

  /** The one mail of this key; nothing when the key belongs to another mail. */
  #store(mail: Mail, key: string): StoredMail | undefined {
    const known = this.mails.find((stored) => stored.key === key);
    if (known === undefined) {
      const stored = { ...mail, key, id: randomUUID() };
      this.mails.push(stored);
      return stored;
    }
    const isSame = known.to === mail.to && known.subject === mail.subject && known.text === mail.text;
    return isSame ? known : undefined;
  }
}

/** A mail provider for the tests of the calling file. */
export function useMailProvider(): MailProvider {
  const provider = new MailProvider();
  beforeAll(() => provider.open());
  afterAll(() => provider.close());
  return provider;
}
