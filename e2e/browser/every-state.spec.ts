import axe from 'axe-core';
import { expect, test } from './shop-test.js';
import { states } from './states.js';
import { words } from './words.js';

for (const state of states) {
  test(`The state "${state.name}" says what was promised in both languages, can be used by everyone, and fits`, async ({
    page,
    shop,
    checkout,
  }) => {
    await state.reach({ page, shop, checkout });
    for (const language of ['en', 'id'] as const) {
      await page.getByRole('button', { name: language === 'en' ? 'English' : 'Bahasa Indonesia' }).click();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      for (const text of state.says(words[language]))
        await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
    }
    await page.evaluate(`${axe.source}; undefined`);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(await page.evaluate(findingsOf, {}), 'light').toEqual([]);
    // The same document in other colours.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    const colours = { runOnly: ['color-contrast', 'link-in-text-block'] };
    expect(await page.evaluate(findingsOf, colours), 'dark').toEqual([]);
    // Also what a screen of 1280 px shows at 400 %. The Indonesian texts are the longer ones.
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
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
