import type { Page } from '@playwright/test';
import { type Screen, screens, withoutScript } from './screens.js';
import { test } from './shop-test.js';
import { expectUsableByEveryone } from './usable.js';

// The longer texts.
test.use({ locale: 'id-ID', mayComplain: true });

function usableByEveryone(list: Screen[], before: (page: Page) => Promise<unknown> = async () => {}): void {
  for (const { name, reach } of list) {
    test(`The screen "${name}" can be used by everyone, and fits`, async ({ page, shop, checkout }) => {
      await before(page);
      await reach({ page, shop, checkout });
      await expectUsableByEveryone(page);
    });
  }
}

usableByEveryone(screens);
// The app's script never arrives. Without any JavaScript axe could not run, either, and so the one page that is all
// within a `noscript` is left out.
const documents = withoutScript.filter(({ name }) => name !== 'plain catalogue');
usableByEveryone(documents, (page) => page.route('**/assets/*.js', (route) => route.abort()));
