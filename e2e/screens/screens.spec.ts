import { test } from '../browser/shop-test.js';
import { screens } from './screens.js';

const WIDTHS = { phone: 320, tablet: 820, wide: 1440 };
const HEIGHT = 900;

// Nothing is asserted here: the pictures are for a person to look at.
for (const { name, reach } of screens) {
  for (const locale of ['en-US', 'id-ID']) {
    test.describe(locale, () => {
      test.use({ locale });

      test(name, async ({ page, shop, checkout }) => {
        await reach({ page, shop, checkout });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          for (const [device, width] of Object.entries(WIDTHS)) {
            await page.setViewportSize({ width, height: HEIGHT });
            const file = `${name.replaceAll(/\W+/g, '-')}.${locale.slice(0, 2)}.${colorScheme}.${device}.png`;
            await page.screenshot({ path: `screens/pictures/${file}`, fullPage: true });
          }
        }
      });
    });
  }
}
