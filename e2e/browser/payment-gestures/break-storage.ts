import type { Page } from '@playwright/test';

/**
 * Breaks `localStorage` and `sessionStorage`.
 *
 * - `throws`: they are blocked, and looking at them already throws; in every document that is loaded from now on.
 * - `full`: reading works, every write throws; in every document that is loaded from now on.
 * - `cleared`: the document that is open loses what is stored, now.
 */
export async function breakStorage(page: Page, how: 'throws' | 'full' | 'cleared'): Promise<void> {
  switch (how) {
    case 'throws':
      await page.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage']) {
          Object.defineProperty(window, name, {
            get() {
              throw new DOMException('Access is denied for this document.', 'SecurityError');
            },
          });
        }
      });
      break;
    case 'full':
      await page.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        };
      });
      break;
    case 'cleared':
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      break;
  }
}
