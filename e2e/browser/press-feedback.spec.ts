import { holdReply } from './payment-gestures/index.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

/** What a person takes for at once. */
const atOnceMs = 100;

for (const press of ['click', 'Enter', 'Space'] as const) {
  test(`From the ${press} on, the page says within ${atOnceMs} ms that it is sending, and Pay keeps its focus and name`, async ({
    page,
    shop,
    checkout,
  }) => {
    const order = await shop.order();
    await checkout.open(order);
    const hold = await holdReply(page, paymentsUrl);
    const delayMs = page.evaluate(measureFeedback, words.en.sending);
    if (press === 'click') await checkout.pay.click();
    else await checkout.pay.press(press);
    expect(await delayMs).toBeLessThan(atOnceMs);
    await expect(page.getByRole('status').filter({ hasText: words.en.sending })).toBeVisible();
    await expect(checkout.pay).toBeFocused();
    await expect(checkout.pay).toHaveAttribute('aria-disabled', 'true');
    await expect(checkout.pay).toHaveAccessibleName(words.en.idle);
    await expect(checkout.pay).not.toHaveAttribute('disabled');
    hold.release();
    await checkout.expectReceipt();
    await shop.expectChargedOnce(order);
  });
}

/** Milliseconds from the submit to the moment at which the page holds the text, by the page's own clock. */
function measureFeedback(text: string): Promise<number> {
  return new Promise((resolve) => {
    let pressedAt = Number.NaN;
    document.addEventListener(
      'submit',
      () => {
        pressedAt = performance.now();
      },
      true,
    );
    new MutationObserver(() => {
      if (document.body.textContent.includes(text)) resolve(performance.now() - pressedAt);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}
