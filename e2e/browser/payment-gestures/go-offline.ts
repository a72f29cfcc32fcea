import type { Page } from '@playwright/test';

/** Takes the network away from all tabs of the page's browser context. Returns the function that brings it back. */
export async function goOffline(page: Page): Promise<() => Promise<void>> {
  await page.context().setOffline(true);
  return () => page.context().setOffline(false);
}
