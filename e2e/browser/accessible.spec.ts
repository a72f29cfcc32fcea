import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from './shop-test.js';
import { states } from './states.js';

for (const state of states) {
  test(`axe finds nothing in the state "${state.name}", in light and in dark`, async ({
    page,
    shop,
    checkout,
  }) => {
    await state.reach({ page, shop, checkout });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    }
  });
}
