import { holdReply } from './payment-gestures/index.js';
import { paymentsUrl } from './shop.js';
import { expect, test } from './shop-test.js';
import { words } from './words.js';

for (const press of ['click', 'Enter', 'Space'] as const) {
  test(`From the ${press} on, the very next frame says that it is sending, and Pay keeps its focus and name`, async ({
    page,
    shop,
    checkout,
  }) => {
    const order = await shop.order();
    await checkout.open(order);
    const hold = await holdReply(page, paymentsUrl);
    const nextFrame = page.evaluate(textOfFrameAfterSubmit);
    if (press === 'click') await checkout.pay.click();
    else await checkout.pay.press(press);
    expect(await nextFrame).toContain(words.en.sending);
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

/** A frame comes well within the 100 ms that a person takes for at once; unlike milliseconds it is the same on every machine. */
function textOfFrameAfterSubmit(): Promise<string> {
  return new Promise((resolve) => {
    const listen = () => requestAnimationFrame(() => resolve(document.body.textContent));
    document.addEventListener('submit', listen, { capture: true, once: true });
  });
}
