import type { BrowserContext, Page } from '@playwright/test';

/** Which requests: what `page.route` takes. */
type Url = Parameters<Page['route']>[0];

interface Lost {
  /** The statuses of the answers that the browser never saw. Grows while requests are lost. */
  statuses: number[];
  /** Lets requests and replies through again. */
  stop(): Promise<void>;
}

/**
 * Lets matching requests reach the server and loses the replies: what was asked has happened, and the page cannot know
 * it. `times`: how many, from now on; without it all.
 */
export async function loseReply(
  where: Page | BrowserContext,
  url: Url,
  options: { times?: number } = {},
): Promise<Lost> {
  const statuses: number[] = [];
  const handler: Parameters<Page['route']>[1] = async (route) => {
    const response = await route.fetch();
    statuses.push(response.status());
    await route.abort('connectionreset');
  };
  await where.route(url, handler, options);
  return { statuses, stop: () => where.unroute(url, handler) };
}

/** Loses matching requests before they reach the server. The page sees the same as when a reply is lost. */
export async function loseRequest(
  where: Page | BrowserContext,
  url: Url,
  options: { times?: number } = {},
): Promise<Pick<Lost, 'stop'>> {
  const handler: Parameters<Page['route']>[1] = (route) => route.abort('connectionreset');
  await where.route(url, handler, options);
  return { stop: () => where.unroute(url, handler) };
}
