import type { Page } from '@playwright/test';
import { type Screen, screens, withoutScript } from '../browser/screens.js';
import { test } from '../browser/shop-test.js';
import { states } from '../browser/states.js';

const WIDTHS = { phone: 320, tablet: 820, wide: 1440 };
const HEIGHT = 900;

test.use({ mayComplain: true });

// Nothing is asserted here: the pictures are for a person to look at. SCREENS_LOOKS narrows down which are taken.
const wanted = new RegExp(process.env['SCREENS_LOOKS'] ?? '');

function picturesOf(group: string, list: Screen[]): void {
  for (const locale of ['en-US', 'id-ID']) {
    test.describe(`${group} ${locale}`, () => {
      test.use({ locale });
      for (const { name, reach } of list) {
        test(name, async ({ page, shop, checkout }) => {
          await reach({ page, shop, checkout });
          await takePictures(page, `${name.replaceAll(/\W+/g, '-')}.${locale.slice(0, 2)}`);
        });
      }
    });
  }
}

async function takePictures(page: Page, name: string): Promise<void> {
  const take = async (look: string, width: number) => {
    if (!wanted.test(look)) return;
    await page.setViewportSize({ width, height: HEIGHT });
    await page.screenshot({ path: `screens/pictures/${name}.${look}.png`, fullPage: true });
  };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [device, width] of Object.entries(WIDTHS)) await take(`${colorScheme}.${device}`, width);
  }
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
  await take('forced.tablet', WIDTHS.tablet);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark', forcedColors: 'none' });
  await take('print.tablet', WIDTHS.tablet);
}

picturesOf('with a script', [...screens, ...states]);

test.describe(() => {
  test.use({ javaScriptEnabled: false });
  picturesOf('without a script', withoutScript);
});
