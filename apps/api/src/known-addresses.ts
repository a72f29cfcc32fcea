import type { FastifyInstance } from 'fastify';
import { isPage } from './documents/page-addresses.js';
import { ProblemError } from './problem-error.js';

/** Routes for whatever no other route matches: they make no address known. */
const ANY_ADDRESS: ReadonlySet<string | undefined> = new Set(['*', '/*']);

/** What is read with GET and HEAD, and answered by the last route of all. */
const PAGE_METHODS = ['GET', 'HEAD'];

/**
 * Refuses a method that a known address does not have, before the body is read. The router has a tree for each method,
 * so it cannot tell this from an address that nobody knows; the routes are noted here as they are registered.
 */
export function refuseOtherMethods(fastify: FastifyInstance): void {
  const known = new Map<string, { matches: RegExp; methods: Set<string> }>();

  fastify.addHook('onRoute', ({ url, method }) => {
    if (ANY_ADDRESS.has(url)) return;
    const address = known.get(url) ?? { matches: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) address.methods.add(one);
    known.set(url, address);
  });

  fastify.addHook('onRequest', async (request, reply) => {
    if (!request.is404 && !ANY_ADDRESS.has(request.routeOptions.url)) return;
    const path = pathOf(request.url);
    const allowed = new Set(isPage(path) ? PAGE_METHODS : []);
    for (const { matches, methods } of known.values()) {
      if (matches.test(path)) for (const method of methods) allowed.add(method);
    }
    if (allowed.size === 0 || allowed.has(request.method)) return;
    void reply.header('allow', [...allowed].sort().join(', '));
    throw new ProblemError(
      'method_not_allowed',
      'This address does not have this method. Allow names those it has.',
    );
  });
}

/** The path as the router reads it. One that cannot be decoded is itself; the router refuses it. */
export function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** What a route's address matches: a segment with a colon is any segment, the others are themselves. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => (segment.startsWith(':') ? '[^/]+' : literally(segment)));
  return new RegExp(`^${segments.join('/')}$`);
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
