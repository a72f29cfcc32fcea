import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

/** A list as a header's value is sent as that many header fields. */
export interface HttpRequest {
  method: string;
  headers?: OutgoingHttpHeaders | undefined;
  /** Text and bytes are sent as they are, anything else as JSON. */
  body?: unknown;
}

/** Sends one request with `node:http`, which, unlike `fetch`, sends exactly the header fields it is given. */
export function send(url: string, { method, headers = {}, body }: HttpRequest): Promise<Reply> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  const contentType = bytes === undefined || isRaw ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: { ...contentType, ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const received = Buffer.concat(chunks);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: received,
          text: received.toString(),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}
