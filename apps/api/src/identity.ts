import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { DataSource } from 'typeorm';
import { describePending, pendingAfter } from './pending-migrations.js';
import { ProblemError, unavailable } from './problem-error.js';

/** Who is asking, as verified for this request. The only source of a sandbox id anywhere. */
export interface Identity {
  sandboxId: string;
  /** The raw credential of this request, kept only to derive the form token from it. */
  token: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity?: Identity;
  }
}

export const SESSION_COOKIE = 'pay_once_session';

/** The verified sandbox of the request; 401 when there is none. */
export const CurrentSandboxId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { identity } = context.switchToHttp().getRequest<FastifyRequest>();
  if (identity === undefined) throw unauthenticated();
  return identity.sandboxId;
});

export function unauthenticated(): ProblemError {
  return new ProblemError(
    'unauthenticated',
    'Send the sandbox’s bearer token, or open the shop to get a session.',
  );
}

/** Tokens are random and long, so a fast hash is enough; the table never holds a token that works. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** No token of ours is longer, so a longer one need not be looked up. */
const TOKEN_LENGTH_MAX = 200;

/**
 * The bearer token or the session cookie, not verified yet; undefined when there is none that could be ours. A cookie
 * travels by itself, so with a method that changes something it counts only for a request of our own pages.
 */
export function credentialOf(request: FastifyRequest): string | undefined {
  const token = bearerToken(request) ?? (isOwnOrigin(request) ? request.cookies[SESSION_COOKIE] : undefined);
  return token === undefined || token === '' || token.length > TOKEN_LENGTH_MAX ? undefined : token;
}

/**
 * Verifies a token: one query. The same query tells whether the schema is still the one that this build was made for;
 * on another nothing is begun, and the problem is `unavailable`.
 */
export async function identify(token: string, dataSource: DataSource): Promise<Identity | undefined> {
  const rows: { id: string; migrations: string[] }[] = await dataSource.query(
    'select id, array(select name from migrations) as migrations from sandboxes where token_hash = $1',
    [hashToken(token)],
  );
  const [sandbox] = rows;
  if (sandbox === undefined) return undefined;
  const pending = pendingAfter(sandbox.migrations);
  if (pending.length > 0) throw unavailable(describePending(pending));
  return { sandboxId: sandbox.id, token };
}

function bearerToken(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  // With an Authorization header the cookie is not looked at, even when the header is of no use.
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

function isOwnOrigin(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin, host } = request.headers;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

/** A token for forms that only this session can know: another origin can submit a form, but not fill this in. */
export function formTokenOf(identity: Identity): string {
  return createHmac('sha256', identity.token).update('checkout form').digest('base64url');
}

export function isFormToken(identity: Identity, candidate: string): boolean {
  const expected = Buffer.from(formTokenOf(identity));
  const given = Buffer.from(candidate);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
