import { connect } from 'node:net';
import type { Reply } from './http-request.js';

/**
 * Writes these bytes to the server and reads until it closes: for what no HTTP client would send. With `drip`, goes on
 * writing that again and again.
 */
export function sendBytes(
  url: string,
  bytes: string,
  slowly?: { drip: string; everyMs: number },
): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const timer = slowly && setInterval(() => socket.write(slowly.drip), slowly.everyMs);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => clearInterval(timer));
    socket.on('error', reject);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(parse(Buffer.concat(chunks)));
    });
  });
}

function parse(received: Buffer): Reply {
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...fields] = received.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
  const body = received.subarray(end + 4);
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body, text: body.toString() };
}

/** A whole HTTP/1.1 request after which the server closes. */
export function requestBytes(requestLine: string, fields: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${requestLine} HTTP/1.1`, 'Host: shop', 'Connection: close', ...fields, ...length];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
