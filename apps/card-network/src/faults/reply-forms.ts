import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { type GoodAnswer, problemAnswer } from '../good-answer.js';
import type { ReplyForm } from './fault-table.js';

type Send = (reply: FastifyReply, good: GoodAnswer, delayMs: number) => Promise<void>;

/** How each form of reply is sent; `good` is what a good network would answer. */
export const REPLY_FORMS: Record<ReplyForm, Send> = {
  whole: async (reply, good) => send(reply, good),
  late: async (reply, good, delayMs) => {
    await sleep(delayMs);
    send(reply, good);
  },
  broken: async (reply) => {
    reply.hijack();
    reply.raw.destroy();
  },
  error: async (reply) => send(reply, problemAnswer(500, 'The card network has a problem.')),
  bad_gateway: async (reply) => {
    send(reply, {
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>\n'),
    });
  },
  malformed: async (reply, good) => {
    // With a length that is right: only who parses it notices.
    send(reply, { ...good, body: good.body.subarray(0, Math.ceil(good.body.length / 2)) });
  },
  huge: async (reply, good) => {
    void headed(reply, good).send(Readable.from(endless()));
  },
  dripping: async (reply, good, delayMs) => {
    void headed(reply, good)
      .header('content-length', good.body.length)
      .send(Readable.from(drops(good.body, delayMs)));
  },
  redirect: async (reply) => {
    void reply.redirect('/elsewhere', 307);
  },
};

function send(reply: FastifyReply, good: GoodAnswer): void {
  void headed(reply, good).send(good.body);
}

function headed(reply: FastifyReply, { status, headers }: GoodAnswer): FastifyReply {
  return reply.status(status).headers(headers);
}

/** A JSON text that goes on until the reader hangs up. It is made no faster than it is read. */
function* endless(): Generator<Buffer> {
  yield Buffer.from('{"padding":"');
  const padding = Buffer.alloc(64 * 1024, 'x');
  for (;;) yield padding;
}

async function* drops(bytes: Buffer, delayMs: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < bytes.length; index++) {
    yield bytes.subarray(index, index + 1);
    await sleep(delayMs);
  }
}
