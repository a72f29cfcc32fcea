import { expect, test } from './shop-test.js';
import { states } from './states.js';
import { type Language, words } from './words.js';

const locales: Record<Language, string> = { en: 'en-US', id: 'id-ID' };

for (const language of ['en', 'id'] as const) {
  test.describe(language === 'en' ? 'In English' : 'In Indonesian', () => {
    test.use({ locale: locales[language] });

    for (const state of states) {
      test(`the state "${state.name}" says what was promised`, async ({ page, shop, checkout }) => {
        await state.reach({ page, shop, checkout });
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        for (const text of state.says(words[language])) {
          await expect(page.getByText(text).first()).toBeVisible();
        }
      });
    }
  });
}
