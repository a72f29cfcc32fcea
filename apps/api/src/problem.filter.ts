import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { PROBLEM_CONTENT_TYPE, PROBLEMS } from '@pay-once/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { QueryFailedError } from 'typeorm';
import { sqlStateOf } from './database-error.js';
import { isFormPost, pageAfterProblem } from './documents/form-pages.js';
import type { PageShell } from './documents/page-shell.js';
import { isAskedByPerson, problemPage } from './documents/problem-page.js';
import { pathOf } from './known-addresses.js';
import { ProblemError, problemBody, unavailable } from './problem-error.js';

/** Turns everything that is thrown anywhere into a problem, or, for a person without JavaScript, into a page. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly shell: PageShell) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** For what is thrown outside Nest, by a hook or a body parser. */
  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = toProblem(thrown);
    if (PROBLEMS[problem.code].status >= 500) this.logger.error(`${request.id} ${describe(thrown)}`);
    if (reply.sent) return;

    answerProblem(problem, request, reply, this.shell);
  }
}

/** Sends a problem as JSON; to a person as a page, and for the plain form as a redirect to a page that says it. */
export function answerProblem(
  problem: ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
  shell: PageShell,
): void {
  if (isFormPost(request)) {
    void reply.redirect(pageAfterProblem(request, problem.code), 303);
    return;
  }
  const { retryAfterSeconds, paymentId } = problem.extra;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  const { method, url, headers: sent } = request;
  if (isAskedByPerson({ method, path: pathOf(url), accept: sent.accept })) {
    const { headers, document } = problemPage(problem.code, shell);
    void reply.status(PROBLEMS[problem.code].status).headers(headers).send(document);
    return;
  }
  if (problem.code === 'idempotency_key_missing') {
    void reply.header('link', '</problems/idempotency_key_missing>; rel="describedby"');
  }
  if (paymentId !== undefined) void reply.header('link', `</api/payments/${paymentId}>; rel="related"`);
  void reply
    .status(PROBLEMS[problem.code].status)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    .send(Buffer.from(JSON.stringify(problemBody(problem, request.id))));
}

/** What the caller is told of it. */
export function toProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (isDatabaseAway(thrown)) {
    return unavailable('The database did not answer in time. Send the same key again.');
  }
  if (thrown instanceof QueryFailedError && MISSING_SQLSTATES.test(sqlStateOf(thrown) ?? '')) {
    return unavailable('The database is not the one that this build was made for. Send the same key again.');
  }
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusCodeOf(thrown);
  if (status === 404) return new ProblemError('not_found', 'There is nothing at this address.');
  if (status === 413)
    return new ProblemError('payload_too_large', 'The body is larger than this server takes.');
  if (status === 415) return new ProblemError('unsupported_media_type', 'Send application/json.');
  if (status !== undefined && status >= 400 && status < 500) {
    return new ProblemError('request_invalid', 'The request could not be read.');
  }
  return new ProblemError('internal', 'The request could not be finished. Send the same key again.');
}

function statusCodeOf(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('statusCode' in thrown)) return undefined;
  return typeof thrown.statusCode === 'number' ? thrown.statusCode : undefined;
}

/**
 * Lock and statement timeouts (55P03, 57014), a server that is starting, stopping or out of connections (57P,
 * 53, 08, 25P03), and everything the driver says about a lost or refused connection, which has no SQLSTATE.
 */
const AWAY_SQLSTATES = /^(08|53|57P|57014|55P03|25P0[34]|40001|40P01)/;

/** A table or a column that is not there (42P01, 42703): the schema was taken away while the process ran. */
const MISSING_SQLSTATES = /^42(P01|703)$/;

function isDatabaseAway(thrown: unknown): boolean {
  if (thrown instanceof QueryFailedError) {
    const { code } = thrown.driverError as { code?: string };
    return code === undefined || AWAY_SQLSTATES.test(code) || /^E[A-Z]+$/.test(code);
  }
  if (!(thrown instanceof Error)) return false;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT)$/.test(code) ||
    AWAY_SQLSTATES.test(code) ||
    /timeout exceeded when trying to connect|Connection terminated|not queryable/i.test(thrown.message)
  );
}

/** Type, SQLSTATE and stack; never the statement's parameters, which hold keys and tokens. */
function describe(thrown: unknown): string {
  if (thrown instanceof QueryFailedError) {
    const { code, message } = thrown.driverError as { code?: string; message?: string };
    return `QueryFailedError ${code ?? ''} ${message ?? ''}`;
  }
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : typeof thrown;
}
