import { STATUS_CODES } from 'node:http';
import { BadRequestException, ConflictException, UnprocessableEntityException } from '@nestjs/common';
import { PROBLEM_CONTENT_TYPE } from '@pay-once/contracts';
import { type Answer, type Outcome, readIdempotencyKey } from '@pay-once/idempotency-server';
import type { FastifyRequest } from 'fastify';

/** What is answered when nothing goes wrong on the way. */
export interface GoodAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer that is not stored. */
export function freshAnswer(body: unknown): GoodAnswer {
  return { status: 200, headers: { 'content-type': JSON_TYPE }, body: Buffer.from(JSON.stringify(body)) };
}

/** Says what is wrong, after RFC 9457, as small as can be. */
export function problemAnswer(status: number, detail: string): GoodAnswer {
  return {
    status,
    headers: { 'content-type': PROBLEM_CONTENT_TYPE },
    body: Buffer.from(JSON.stringify({ title: STATUS_CODES[status], status, detail })),
  };
}

/** An answer to be stored with what was done. */
export function createdAnswer(body: unknown): Answer {
  return { status: 201, contentType: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) };
}

/** The request's key. Throws a 400 when there is not exactly one. */
export function requireIdempotencyKey(request: FastifyRequest): string {
  const parsed = readIdempotencyKey(request.raw.rawHeaders);
  switch (parsed.kind) {
    case 'valid':
      return parsed.key;
    case 'missing':
      throw new BadRequestException('Send the header Idempotency-Key, one per intention.');
    case 'malformed':
      throw new BadRequestException(parsed.reason);
  }
}

/** The fresh or stored answer. Throws a 409 or 422 when the outcome is not this command's answer. */
export function answerOf(outcome: Outcome): GoodAnswer {
  switch (outcome.kind) {
    case 'completed':
    case 'replayed':
      return {
        status: outcome.answer.status,
        headers: {
          'content-type': outcome.answer.contentType,
          'idempotency-expires': outcome.expiresAt.toUTCString(),
          ...(outcome.kind === 'replayed' && { 'idempotent-replayed': 'true' }),
        },
        body: outcome.answer.body,
      };
    case 'answer_not_kept':
    case 'released':
      throw new Error('Every answer here is a 201, and short enough to be kept.');
    case 'in_progress':
      throw new ConflictException('The first request with this key has not finished yet.');
    case 'key_reused':
      throw new UnprocessableEntityException('This key was first sent with another request.');
  }
}
