import type { BrowserContext, Page } from '@playwright/test';

/** Opens one address in two tabs that share cookies and storage, as one person's tabs do. */
export async function twoTabs(context: BrowserContext, url: string): Promise<[Page, Page]> {
  const tabs: [Page, Page] = [await context.newPage(), await context.newPage()];
  await Promise.all(tabs.map((tab) => tab.goto(url)));
  return tabs;
}
