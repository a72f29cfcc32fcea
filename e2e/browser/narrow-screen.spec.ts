import { expect, test } from './shop-test.js';
import { states } from './states.js';

// The longer of the two languages on the narrowest screen, which is also a screen of 1280 px at 400 % zoom.
test.use({ viewport: { width: 320, height: 640 }, locale: 'id-ID' });

for (const state of states) {
  test(`the state "${state.name}" fits on a screen of 320 px`, async ({ page, shop, checkout }) => {
    await state.reach({ page, shop, checkout });
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(widths).toEqual([320, 320]);
  });
}
