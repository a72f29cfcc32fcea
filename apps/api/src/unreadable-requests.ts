import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_CONTENT_TYPE, PROBLEMS } from '@pay-once/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from './config.js';
import { crossOriginHeaders } from './cross-origin.js';
import { answerProblem } from './problem.filter.js';
import { ProblemError, problemBody } from './problem-error.js';

/** What Node says of bytes that it cannot read; `rawPacket` are those that came last. */
type UnreadableError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Answers what never becomes a request that hooks and filters see. */
export class UnreadableRequests {
  readonly #latest = new WeakMap<Socket, IncomingMessage>();

  constructor(private readonly config: Config) {}

  /** Notes the requests of a server, because of a body that does not come to its end only the socket is told. */
  watch(server: Server): void {
    server.on('request', (request) => this.#latest.set(request.socket, request));
  }

  /** An address that cannot be decoded is refused by the router itself, before any hook or filter. */
  refuseAddress(request: FastifyRequest, reply: FastifyReply): void {
    void reply.header('x-request-id', request.id);
    void reply.headers(crossOriginHeaders(this.config, request.headers.origin));
    answerProblem(new ProblemError('request_invalid', 'The address could not be read.'), request, reply);
  }

  /** What Node could not even read as HTTP is a problem, too. */
  refuseBytes(error: UnreadableError, socket: Socket): void {
    if (!socket.writable) return;
    const problem = toProblem(error.code);
    const requestId = randomUUID();
    const body = JSON.stringify(problemBody(problem, requestId));
    const { status } = PROBLEMS[problem.code];
    const headers = {
      'content-type': PROBLEM_CONTENT_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
      'x-request-id': requestId,
      ...crossOriginHeaders(this.config, this.#originOf(error, socket)),
    };
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body}`);
  }

  /**
   * Whose page is to read the answer, as far as anybody knows: of a request whose body is missing, or of headers whose
   * bytes Node hands out. A wrong guess shows nothing: the browser compares it with the page.
   */
  #originOf({ rawPacket }: UnreadableError, socket: Socket): string | undefined {
    const latest = this.#latest.get(socket);
    if (latest?.complete === false) return latest.headers.origin;
    return /^origin:[ \t]*(\S+)/im.exec(rawPacket?.toString('latin1') ?? '')?.[1];
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
