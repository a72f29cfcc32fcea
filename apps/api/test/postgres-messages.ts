/** The type of the message that ends every answer of the server. */
export const READY_FOR_QUERY = 'Z';

/** The SQL that a client's message carries: a simple query, or a parse message, which names its statement first. */
export function statementOf(type: string, content: Buffer): string | undefined {
  if (type === 'Q') return content.toString('utf8', 0, content.indexOf(0)).trim();
  if (type !== 'P') return undefined;
  const start = content.indexOf(0) + 1;
  return content.toString('utf8', start, content.indexOf(0, start)).trim();
}

/** Splits a stream into messages of the Postgres protocol: a type, a length that counts itself, content. */
export class MessageReader {
  #rest = Buffer.alloc(0);
  #headLength: number;

  constructor(
    begins: 'startup' | 'typed',
    private readonly onMessage: (type: string, content: Buffer) => void,
  ) {
    // The startup message alone has no type.
    this.#headLength = begins === 'startup' ? 0 : 1;
  }

  read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= this.#headLength + 4) {
      const length = this.#headLength + this.#rest.readUInt32BE(this.#headLength);
      if (this.#rest.length < length) return;
      const type = this.#rest.toString('latin1', 0, this.#headLength);
      const content = this.#rest.subarray(this.#headLength + 4, length);
      this.#rest = this.#rest.subarray(length);
      this.#headLength = 1;
      if (type !== '') this.onMessage(type, content);
    }
  }
}

/** The message by which the server says that something went wrong. */
export function errorResponse(severity: string, sqlState: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0C${sqlState}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
