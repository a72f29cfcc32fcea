import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Where a connection is cut: before a statement reaches Postgres, or after Postgres has done it and before its answer. */
export type CutAt = 'request' | 'reply';

/**
 * The wire between the API and Postgres, with someone at the scissors. It carries every byte, and can cut the
 * connection at exactly one statement, vanish as a stopped server does, or stay connected and fall silent.
 */
export class DatabaseWire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #silent = false;
  #cut: { statement: number; at: CutAt } | undefined;
  #statements: string[] = [];

  private constructor(private readonly target: URL) {
    this.#server = createServer((socket) => this.#carry(socket));
  }

  /** Lays a wire to the database of this URL. */
  static async lay(url: string): Promise<DatabaseWire> {
    const wire = new DatabaseWire(new URL(url));
    await wire.restore();
    return wire;
  }

  /** The URL of the same database at this end of the wire. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.#port}`;
    return url.href;
  }

  /** Counts statements from here on, and cuts the connection of the one with this number (from 1). */
  cutAt(statement: number, at: CutAt): void {
    this.#cut = { statement, at };
    this.#statements = [];
  }

  /** Stops cutting and returns the statements since `cutAt`; the last of them is where the cut was, if it came. */
  mend(): { statements: string[]; wasCut: boolean } {
    const wasCut = this.#cut !== undefined && this.#statements.length >= this.#cut.statement;
    this.#cut = undefined;
    return { statements: this.#statements, wasCut };
  }

  /** Refuses connections and ends those there are, as when Postgres is gone. */
  async remove(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Takes connections again, at the same port. */
  async restore(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Keeps every connection and carries nothing: what a lost route looks like. */
  fallSilent(): void {
    this.#silent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  speak(): void {
    this.#silent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #carry(near: Socket): void {
    const far = connect(Number(this.target.port), this.target.hostname);
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      if (this.#silent) socket.pause();
      socket.on('error', cut);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        cut();
      });
    }
    let cutAtReply = false;
    const requests = new MessageReader('startup', (type, content) => {
      const statement = statementOf(type, content);
      if (statement === undefined) return;
      this.#statements.push(statement);
      if (this.#statements.length !== this.#cut?.statement) return;
      if (this.#cut.at === 'reply') cutAtReply = true;
      else cut();
    });
    const replies = new MessageReader('typed', (type) => {
      if (cutAtReply && type === READY_FOR_QUERY) cut();
    });
    near.on('data', (bytes) => {
      requests.read(bytes);
      if (!far.destroyed) far.write(bytes);
    });
    far.on('data', (bytes) => {
      replies.read(bytes);
      if (!cutAtReply && !near.destroyed) near.write(bytes);
    });
  }
}

const READY_FOR_QUERY = 'Z';

/** The SQL of a simple query, or of a parse message, which names its statement first. */
function statementOf(type: string, content: Buffer): string | undefined {
  if (type === 'Q') return content.toString('utf8', 0, content.indexOf(0)).trim();
  if (type !== 'P') return undefined;
  const start = content.indexOf(0) + 1;
  return content.toString('utf8', start, content.indexOf(0, start)).trim();
}

/** Splits a stream into messages of the Postgres protocol: a type, a length that counts itself, content. */
class MessageReader {
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
