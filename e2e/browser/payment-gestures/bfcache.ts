import { expect, type LaunchOptions, type Page } from '@playwright/test';

/** Playwright turns the back/forward cache off. A browser that is to have one is launched with these options. */
export const bfcacheLaunchOptions = {
  ignoreDefaultArgs: ['--disable-back-forward-cache'],
} satisfies LaunchOptions;

/**
 * Leaves the page for the address `elsewhere`, does `meanwhile` there, and goes back. `restored`: the page is as it was
 * left, from the cache; `loaded`: the browser has fetched it again.
 */
export async function restoreFromBfcache(
  page: Page,
  elsewhere: string,
  meanwhile: () => Promise<void> = async () => {},
): Promise<'restored' | 'loaded'> {
  // Only a document that comes out of the cache still has this mark.
  await page.evaluate(() => document.documentElement.setAttribute('data-left', ''));
  await page.goto(elsewhere);
  const address = page.url();
  await meanwhile();
  // Not `page.goBack()`: it waits for a load that never comes. In a task of its own, because a page that is left while it
  // is being asked has no answer.
  await page.evaluate(() => void setTimeout(() => history.back()));
  const back = async () => page.evaluate(readDocument).catch(() => undefined);
  // Where it is by then is its own affair: a page that finds its order paid goes on to the receipt at once.
  await expect
    .poll(async () => (await back())?.address ?? address, { message: 'it went back' })
    .not.toBe(address);
  return (await back())?.marked === true ? 'restored' : 'loaded';
}

function readDocument() {
  const ready = document.readyState === 'complete' && document.visibilityState === 'visible';
  return ready
    ? { address: location.href, marked: document.documentElement.hasAttribute('data-left') }
    : undefined;
}
