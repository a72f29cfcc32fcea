import { expect, test } from './shop-test.js';
import { states } from './states.js';
import { expectUsableByEveryone } from './usable.js';
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
    await expectUsableByEveryone(page);
  });
}
