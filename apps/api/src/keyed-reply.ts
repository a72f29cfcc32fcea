import { PROBLEM_CONTENT_TYPE, PROBLEMS } from '@pay-once/contracts';
import { type Answer, type Outcome, operationIdOf, readIdempotencyKey } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError, problemBody } from './problem-error.js';

const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** The recovery asks by itself, too: soon at first, and ever more seldom. */
const UNFINISHED_RETRY_AFTER_SECONDS = 2;

/** The request's key, or the problem that says what is wrong with it. */
export function requireIdempotencyKey(request: FastifyRequest): string {
  return requireKey(readIdempotencyKey(request.raw.rawHeaders));
}

export function requireKey(parsed: ReturnType<typeof readIdempotencyKey>): string {
  switch (parsed.kind) {
    case 'valid':
      return parsed.key;
    case 'missing':
      throw new ProblemError(
        'idempotency_key_missing',
        'Send the header Idempotency-Key, one per intention.',
      );
    case 'malformed':
      throw new ProblemError('idempotency_key_invalid', parsed.reason);
  }
}

/** An answer to be stored: its bytes are fixed here, and every replay sends the same. */
export function jsonAnswer(status: number, body: unknown, location?: string): Answer {
  return {
    status,
    contentType: JSON_CONTENT_TYPE,
    ...(location !== undefined && { location }),
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** A refusal to be stored, such as a decline. */
export function problemAnswer(error: ProblemError, requestId: string): Answer {
  return {
    status: PROBLEMS[error.code].status,
    contentType: PROBLEM_CONTENT_TYPE,
    body: Buffer.from(JSON.stringify(problemBody(error, requestId))),
  };
}

/** Names the operation on the reply before anything is done, so that every answer to the key carries it. */
export function nameOperation(reply: FastifyReply, tenantId: string, key: string): void {
  void reply.header('operation-id', operationIdOf(tenantId, key));
}

/** The stored or fresh answer of an outcome; a problem for every outcome that is not this command's answer. */
export function answerOf(outcome: Outcome): Extract<Outcome, { answer: Answer }> {
  switch (outcome.kind) {
    case 'completed':
    case 'replayed':
    case 'released':
      return outcome;
    case 'answer_not_kept':
      throw new Error('Every answer of this shop is short enough to be kept.');
    case 'in_progress':
      throw new ProblemError('request_in_progress', 'The first request with this key has not finished yet.', {
        retryAfterSeconds: 1,
      });
    case 'key_reused':
      throw new ProblemError('idempotency_key_reused', 'This key was first sent with another request.');
  }
}

/** Sends the outcome of a keyed command: the stored bytes as they are, the headers fresh. */
export function sendOutcome(reply: FastifyReply, outcome: Outcome): void {
  const { answer, ...rest } = answerOf(outcome);
  void reply.status(answer.status).header('content-type', answer.contentType);
  if (answer.location !== undefined) void reply.header('location', answer.location);
  if (rest.kind !== 'released') void reply.header('idempotency-expires', rest.expiresAt.toUTCString());
  if (rest.kind === 'replayed') void reply.header('idempotent-replayed', 'true');
  void reply.send(answer.body);
}

/** Says that the outcome is not known yet, and when to ask again with the same key. Not final, so not stored. */
export function sendUnfinished(reply: FastifyReply, body: unknown, location: string): void {
  void reply
    .status(202)
    .header('content-type', JSON_CONTENT_TYPE)
    .header('location', location)
    .header('retry-after', String(UNFINISHED_RETRY_AFTER_SECONDS))
    .send(JSON.stringify(body));
}
