import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line between the browser and the server that can be cut: real packets, a real reset. */
export interface CutLine {
  url: string;
  /** How many requests went to the server while the line was being cut. */
  cuts: () => number;
  /** The next `times` payment requests reach the server, and their connections are reset when it answers. */
  cutReplies: (times: number) => void;
  close: () => Promise<void>;
}

const paymentRequest = /^POST \/api\/orders\/[^/]+\/payments /;

export async function openCutLine(serverUrl: string): Promise<CutLine> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let left = 0;
  let cuts = 0;
  const proxy = createServer((browser) => {
    const server = connect(Number(port), hostname);
    let cutting = false;
    for (const socket of [browser, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        browser.destroy();
        server.destroy();
        sockets.delete(socket);
      });
    }
    browser.on('data', (bytes) => {
      if (left > 0 && paymentRequest.test(bytes.toString('latin1'))) {
        left -= 1;
        cuts += 1;
        cutting = true;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (cutting) browser.resetAndDestroy();
      else browser.write(bytes);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts: () => cuts,
    cutReplies: (times) => {
      left = times;
    },
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
