import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** Axe finds nothing in either theme, and nothing is wider than a small phone. */
export async function expectUsableByEveryone(page: Page): Promise<void> {
  await page.evaluate(`${axe.source}; undefined`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await page.evaluate(findingsOf, {}), 'light').toEqual([]);
  // The same document in other colours.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const colours = { runOnly: ['color-contrast', 'link-in-text-block'] };
  expect(await page.evaluate(findingsOf, colours), 'dark').toEqual([]);
  // Also what a screen of 1280 px shows at 400 %.
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
}

/** Runs in the page. Its own call instead of the adapter for Playwright, which opens a tab for every report. */
async function findingsOf(options: axe.RunOptions) {
  const { violations } = await window.axe.run({ resultTypes: ['violations'], ...options });
  return violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.html) }));
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
