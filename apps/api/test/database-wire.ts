import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { errorResponse, MessageReader, READY_FOR_QUERY, statementOf } from './postgres-messages.js';

/** What a URL without a port means. */
const POSTGRES_PORT = 5432;

/** What Postgres says last to whoever is connected when it is stopped. */
const SHUTTING_DOWN = errorResponse('FATAL', '57P01', 'terminating connection due to administrator command');

/** Where a connection is cut: before a statement reaches Postgres, or after Postgres has done it and before its answer. */
export type CutAt = 'request' | 'reply';

/**
 * The wire between the API and Postgres. It carries every byte, and can hold one statement or one answer back, cut the connection
 * at exactly one statement, vanish as a stopped server does, or stay connected and fall silent.
 */
export class DatabaseWire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #silent = false;
  #endings = 0;
  #cut: { statement: number; at: CutAt } | undefined;
  #hold: { pattern: RegExp; reached: () => void } | undefined;
  #letGo = (): void => undefined;
  #keep: { pattern: RegExp; answered: () => void } | undefined;
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

  /**
   * Keeps the next statement that matches from reaching Postgres until `letGo`, and resolves when it has come. Its
   * transaction stays open meanwhile, with every lock that it has, for as long as it may be idle.
   */
  holdNext(pattern: RegExp): Promise<void> {
    return new Promise((reached) => {
      this.#hold = { pattern, reached };
    });
  }

  letGo(): void {
    this.#hold = undefined;
    this.#letGo();
  }

  /** Lets the next statement that matches take effect, resolves when Postgres has answered, and keeps the answer. */
  keepNextReply(pattern: RegExp): Promise<void> {
    return new Promise((answered) => {
      this.#keep = { pattern, answered };
    });
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

  /** Ends those connections there are, and the next ones as soon as they are ready, in one breath: as a server that stops. */
  endAsReady(connections: number): void {
    this.#endings = connections;
    for (const socket of this.#sockets) socket.destroy();
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

  /** Carries nothing more on the connections there are, and says so to neither end. New ones work. */
  abandonConnections(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  #carry(near: Socket): void {
    const far = connect(Number(this.target.port || POSTGRES_PORT), this.target.hostname);
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
    /** What happens when Postgres has answered, in place of passing the answer on. */
    let atReply: (() => void) | undefined;
    let held: Buffer[] | undefined;
    const hold = (): void => {
      held = [];
      this.#letGo = () => {
        for (const bytes of held ?? []) if (!far.destroyed) far.write(bytes);
        held = undefined;
      };
    };
    const requests = new MessageReader('startup', (type, content) => {
      const statement = statementOf(type, content);
      if (statement === undefined) return;
      if (this.#hold?.pattern.test(statement)) {
        hold();
        this.#hold.reached();
        this.#hold = undefined;
      }
      if (this.#keep?.pattern.test(statement)) {
        atReply = this.#keep.answered;
        this.#keep = undefined;
      }
      if (this.#cut === undefined) return;
      this.#statements.push(statement);
      if (this.#statements.length !== this.#cut.statement) return;
      if (this.#cut.at === 'reply') atReply = cut;
      else cut();
    });
    const replies = new MessageReader('typed', (type) => {
      if (type !== READY_FOR_QUERY) return;
      isReady = true;
      atReply?.();
    });
    near.on('data', (bytes) => {
      requests.read(bytes);
      if (held !== undefined) held.push(bytes);
      else if (!far.destroyed) far.write(bytes);
    });
    let isReady = false;
    far.on('data', (bytes) => {
      const before = isReady;
      replies.read(bytes);
      if (isReady && !before && this.#endings > 0) {
        this.#endings -= 1;
        near.end(Buffer.concat([bytes, SHUTTING_DOWN]));
        far.destroy();
        return;
      }
      if (atReply === undefined && !near.destroyed) near.write(bytes);
    });
  }
}
