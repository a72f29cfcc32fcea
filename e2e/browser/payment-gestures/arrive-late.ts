import type { Page } from '@playwright/test';
import { signal } from './signal.js';

interface Late {
  /** Resolves when the request has left the page. */
  left: Promise<void>;
  /** Lets it arrive. Resolves with the status of an answer for which nobody may be waiting any more. */
  arrive: () => Promise<number>;
}

/** Lets the next matching request arrive when it is told to, also when its page was reloaded or has gone meanwhile. */
export async function arriveLate(page: Page, url: Parameters<Page['route']>[0]): Promise<Late> {
  const left = signal<void>();
  const arrival = signal<void>();
  const answer = signal<number>();
  await page.route(
    url,
    async (route) => {
      left.fire();
      await arrival.promise;
      const response = await route.fetch();
      answer.fire(response.status());
      await route.fulfill({ response }).catch(() => undefined);
    },
    { times: 1 },
  );
  return {
    left: left.promise,
    arrive() {
      arrival.fire();
      return answer.promise;
    },
  };
}
