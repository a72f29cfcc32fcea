import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_CONTENT_TYPE, PROBLEMS } from '@pay-once/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from './config.js';
import { crossOriginHeaders } from './cross-origin.js';
import type { PageShell } from './documents/page-shell.js';
import { type Asked, isAskedByPerson, problemPage } from './documents/problem-page.js';
import { pathOf } from './known-addresses.js';
import { answerProblem } from './problem.filter.js';
import { ProblemError, problemBody } from './problem-error.js';

/** What Node says of bytes that it cannot read; `rawPacket` are those that came last. */
type UnreadableError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Answers what never becomes a request that hooks and filters see. */
export class UnreadableRequests {
  readonly #latest = new WeakMap<Socket, IncomingMessage>();

  constructor(
    private readonly config: Config,
    private readonly shell: PageShell,
  ) {}

  /** Notes the requests of a server, because of a body that does not come to its end only the socket is told. */
  watch(server: Server): void {
    server.on('request', (request) => this.#latest.set(request.socket, request));
  }

  /** An address that cannot be decoded is refused by the router itself, before any hook or filter. */
  refuseAddress(request: FastifyRequest, reply: FastifyReply): void {
    void reply.header('x-request-id', request.id);
    void reply.headers(crossOriginHeaders(this.config, request.headers.origin));
    const problem = new ProblemError('request_invalid', 'The address could not be read.');
    answerProblem(problem, request, reply, this.shell);
  }

  /** What Node could not even read as HTTP is a problem, too; a person who is seen to ask gets a page. */
  refuseBytes(error: UnreadableError, socket: Socket): void {
    if (!socket.writable) return;
    const problem = toProblem(error.code);
    const requestId = randomUUID();
    const seen = this.#seenOf(error, socket);
    const page = isAskedByPerson(seen) ? problemPage(problem.code, this.shell) : undefined;
    const body = page?.document ?? JSON.stringify(problemBody(problem, requestId));
    const { status } = PROBLEMS[problem.code];
    const headers = {
      'content-type': PROBLEM_CONTENT_TYPE,
      ...page?.headers,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
      'x-request-id': requestId,
      ...crossOriginHeaders(this.config, seen.origin),
    };
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${seen.method === 'HEAD' ? '' : body}`,
    );
  }

  /**
   * Who is to read the answer, as far as anybody knows: of a request whose body is missing, or of headers whose bytes
   * Node hands out. A wrong guess shows nothing: the browser compares the origin with the page, and both answers say
   * the same.
   */
  #seenOf({ rawPacket }: UnreadableError, socket: Socket): Asked & { origin: string | undefined } {
    const latest = this.#latest.get(socket);
    if (latest?.complete === false) {
      const { method, url = '', headers } = latest;
      return { method, path: pathOf(url), accept: headers.accept, origin: headers.origin };
    }
    const bytes = rawPacket?.toString('latin1') ?? '';
    const [, method, url = ''] = /^([A-Z]+) (\S+)/.exec(bytes) ?? [];
    const accept = /^accept:[ \t]*(.+)/im.exec(bytes)?.[1];
    return { method, path: pathOf(url), accept, origin: /^origin:[ \t]*(\S+)/im.exec(bytes)?.[1] };
  }
}

function toProblem(nodeCode: string | undefined): ProblemError {
  switch (nodeCode) {
    case 'HPE_HEADER_OVERFLOW':
      return new ProblemError('payload_too_large', 'The headers are larger than this server takes.');
    // A slow line is not the request's fault: sent again it may well arrive.
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProblemError('unavailable', 'The request did not arrive in time. Nothing was done.');
    default:
      return new ProblemError('request_invalid', 'This could not be read as an HTTP request.');
  }
}
