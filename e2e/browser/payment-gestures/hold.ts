import type { BrowserContext, Page, Route } from '@playwright/test';
import { signal } from './signal.js';

interface Hold {
  /** Resolves when the first request, or reply, is being held. */
  held: Promise<void>;
  /** Lets everything that is held go on, and holds nothing more. */
  release(): void;
  /** Loses everything that is held, and holds nothing more. */
  drop(): void;
}

interface HoldOptions {
  /** How many matching requests go through untouched first; 0 unless told. */
  after?: number;
}

/** Lets matching requests reach the server and holds the replies back: the page waits for what has happened. */
export function holdReply(
  where: Page | BrowserContext,
  url: Parameters<Page['route']>[0],
  options?: HoldOptions,
): Promise<Hold> {
  return hold(where, url, options, async (route) => {
    const response = await route.fetch();
    return () => route.fulfill({ response });
  });
}

/** Holds matching requests back before they reach the server. A page that goes away takes them with it. */
export function holdRequest(
  where: Page | BrowserContext,
  url: Parameters<Page['route']>[0],
  options?: HoldOptions,
): Promise<Hold> {
  return hold(where, url, options, async (route) => () => route.fallback());
}

async function hold(
  where: Page | BrowserContext,
  url: Parameters<Page['route']>[0],
  { after = 0 }: HoldOptions = {},
  /** Takes hold of a request, and returns what lets it go on. */
  take: (route: Route) => Promise<() => Promise<void>>,
): Promise<Hold> {
  const holding = signal<void>();
  const end = signal<'release' | 'drop'>();
  let seen = 0;
  let open = false;
  await where.route(url, async (route) => {
    seen += 1;
    if (open || seen <= after) return route.fallback();
    const goOn = await take(route);
    holding.fire();
    const how = await end.promise;
    // Whoever waited for it may have gone away meanwhile.
    await (how === 'release' ? goOn() : route.abort('connectionreset')).catch(() => undefined);
  });
  const finish = (how: 'release' | 'drop') => () => {
    open = true;
    end.fire(how);
  };
  return { held: holding.promise, release: finish('release'), drop: finish('drop') };
}
