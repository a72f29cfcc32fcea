import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A wire to the database that breaks once, at the first COMMIT on it: before it reaches the database, or after it
 * was carried out and before anyone is told. Then it carries everything.
 */
export class BreakingWire {
  #isBroken = false;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly databaseUrl: URL,
  ) {}

  static async to(databaseUrl: string, breaksAt: 'commit' | 'answer to commit'): Promise<BreakingWire> {
    const server = createServer((client) => wire.carry(client, breaksAt));
    const wire = new BreakingWire(server, new URL(databaseUrl));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  get url(): string {
    const url = new URL(this.databaseUrl);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private carry(client: Socket, breaksAt: 'commit' | 'answer to commit'): void {
    const database = connect(Number(this.databaseUrl.port), this.databaseUrl.hostname);
    let isCommitting = false;
    const breakOff = (): void => {
      this.#isBroken = true;
      for (const socket of [client, database]) socket.destroy();
    };
    client.on('data', (bytes) => {
      if (!this.#isBroken && bytes.includes('COMMIT')) {
        if (breaksAt === 'commit') return breakOff();
        isCommitting = true;
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (isCommitting) return breakOff();
      client.write(bytes);
    });
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
