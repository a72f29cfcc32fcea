import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { QueryFailedError } from 'typeorm';
import { type GoodAnswer, problemAnswer } from './good-answer.js';

/** Turns everything that is thrown anywhere into a problem. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, headers, body } = toProblem(thrown);
    if (status >= 500) reply.log.error(describe(thrown));
    if (!reply.sent) void reply.status(status).headers(headers).send(body);
  }
}

function toProblem(thrown: unknown): GoodAnswer {
  if (thrown instanceof HttpException) return problemAnswer(thrown.getStatus(), thrown.message);
  const status = thrown instanceof Error && 'statusCode' in thrown ? Number(thrown.statusCode) : 500;
  return status >= 400 && status < 500
    ? problemAnswer(status, 'The request could not be read.')
    : problemAnswer(500, 'The request could not be finished.');
}

/** Never the statement's parameters, which hold keys. */
function describe(thrown: unknown): string {
  if (thrown instanceof QueryFailedError) return `QueryFailedError ${thrown.driverError.message}`;
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : typeof thrown;
}
