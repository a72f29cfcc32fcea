import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One POST as it arrived. */
interface ReceivedPost {
  key: string | undefined;
  body: string;
  headers: IncomingMessage['headers'];
  atMs: number;
}

/** What happens to one POST instead of the plain answer. `process` does the work once for each key, like a server. */
export type Fault = (response: ServerResponse, process: () => StoredAnswer) => void;

interface StoredAnswer {
  status: number;
  body: string;
}

/** A small server that keeps the key rules and breaks, POST by POST, in the ways that it is told to. */
export interface PaymentServer {
  origin: string;
  posts: ReceivedPost[];
  /** How many GETs asked for the state of the thing. */
  asks: number;
  /** The bodies that were charged, one for each key. */
  charges: string[];
  /** The next POSTs get these faults, then the plain answer again. */
  breakNext(...faults: Fault[]): void;
  /** What a GET says; by default `final` once something was charged and `absent` before. */
  askSays(answer: 'truth' | 'processing' | 'absent' | 'unreachable'): void;
  /** Resolves when as many POSTs have arrived. */
  postsArrived(count: number): Promise<void>;
  asksArrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startPaymentServer(): Promise<PaymentServer> {
  const faults: Fault[] = [];
  const records = new Map<string, { fingerprint: string; answer: StoredAnswer }>();
  const waiting = new Set<() => void>();
  let asking: 'truth' | 'processing' | 'absent' | 'unreachable' = 'truth';

  async function answerPost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const key = request.headers['idempotency-key']?.toString();
    server.posts.push({ key, body, headers: request.headers, atMs: Date.now() });
    for (const check of waiting) check();
    const fault = faults.shift();
    if (fault) return fault(response, () => process(String(key), body).answer);
    const { answer, replayed } = process(String(key), body);
    const headers = replayed ? { 'Idempotent-Replayed': 'true' } : { Location: '/payments/1' };
    response.writeHead(answer.status, { 'Content-Type': typeOf(answer.status), ...headers }).end(answer.body);
  }

  function process(key: string, body: string): { answer: StoredAnswer; replayed: boolean } {
    const record = records.get(key);
    if (record && record.fingerprint !== body) {
      return { answer: problem(422, 'idempotency_key_reused', 'never'), replayed: false };
    }
    if (record) return { answer: record.answer, replayed: true };
    const answer = body.includes('declined')
      ? problem(402, 'card_declined', 'new_key')
      : { status: 201, body: JSON.stringify({ paid: body }) };
    if (answer.status === 201) server.charges.push(body);
    records.set(key, { fingerprint: body, answer });
    return { answer, replayed: false };
  }

  function answerAsk(response: ServerResponse): void {
    server.asks += 1;
    for (const check of waiting) check();
    if (asking === 'unreachable') return void response.destroy();
    const paid = server.charges[0];
    const truth = paid === undefined ? { kind: 'absent' } : { kind: 'final', answer: { paid } };
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(asking === 'truth' ? truth : { kind: asking }));
  }

  const http = createServer((request, response) => {
    if (request.method === 'POST') void answerPost(request, response);
    else answerAsk(response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));

  function arrived(isEnough: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isEnough()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  }

  const server: PaymentServer = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    posts: [],
    asks: 0,
    charges: [],
    breakNext: (...next) => void faults.push(...next),
    askSays: (answer) => {
      asking = answer;
    },
    postsArrived: (count) => arrived(() => server.posts.length >= count),
    asksArrived: (count) => arrived(() => server.asks >= count),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}

/** The work is done, the answer never arrives. */
export const loseReply: Fault = (response, process) => {
  process();
  response.destroy();
};

/** The connection breaks before anything is done. */
export const loseRequest: Fault = (response) => void response.destroy();

/** Nobody answers. The connection stays open. */
export const hang: Fault = () => {};

/** The work is done and the answer is kept back until `release` is called. */
export function holdReply(): { fault: Fault; release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fault: Fault = (response, process) => {
    const { status, body } = process();
    void released.then(() => response.writeHead(status, { 'Content-Type': typeOf(status) }).end(body));
  };
  return { fault, release };
}

/** The head and the first bytes of a success arrive, the rest never does. */
export const cutOff: Fault = (response, process) => {
  const { status, body } = process();
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.write(body.slice(0, 5), () => response.destroy());
};

/** Like `cutOff`, but the connection stays open. */
export const stall: Fault = (response, process) => {
  const { status, body } = process();
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.write(body.slice(0, 5));
};

/** Something else than the payment server answers. */
export function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): Fault {
  return (response) => {
    const isText = typeof body === 'string';
    response
      .writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers })
      .end(isText ? body : JSON.stringify(body));
  };
}

export function refuseWith(
  status: number,
  code: string,
  retry: string,
  headers: Record<string, string> = {},
): Fault {
  return answerWith(status, JSON.parse(problem(status, code, retry).body), {
    'Content-Type': typeOf(status),
    ...headers,
  });
}

function problem(status: number, code: string, retry: string): StoredAnswer {
  return {
    status,
    body: JSON.stringify({ type: 'about:blank', title: code, detail: '', status, code, retry }),
  };
}

function typeOf(status: number): string {
  return status < 400 ? 'application/json' : 'application/problem+json';
}
