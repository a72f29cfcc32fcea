import type { Answer, Outcome } from '@pay-once/idempotency-server';
import type { FastifyReply } from 'fastify';

/** Sends what came of a keyed command. */
export function sendOutcome(reply: FastifyReply, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'completed':
    case 'replayed':
    case 'answer_not_kept':
      void reply.header('idempotency-expires', outcome.expiresAt.toUTCString());
      if (outcome.kind !== 'completed') void reply.header('idempotent-replayed', 'true');
      sendAnswer(reply, outcome.kind === 'answer_not_kept' ? withoutBody(outcome.answer) : outcome.answer);
      break;
    case 'released':
      sendAnswer(reply, outcome.answer);
      break;
    case 'in_progress':
      void reply.status(409).header('retry-after', '1').send('The first request with this key is running.');
      break;
    case 'key_reused':
      void reply.status(422).send('This key belongs to another request.');
      break;
  }
}

function sendAnswer(reply: FastifyReply, answer: Answer): void {
  void reply.status(answer.status).header('content-type', answer.contentType);
  if (answer.location !== undefined) void reply.header('location', answer.location);
  void reply.send(answer.body);
}

/** The status tells what was done. The body can only say that there was another one. */
function withoutBody(answer: Omit<Answer, 'body'>): Answer {
  const body = Buffer.from('This was done. Its answer was too large to keep.');
  return { ...answer, contentType: 'text/plain; charset=utf-8', body };
}
