import type { Locator } from '@playwright/test';

/** Two presses of one button. Each gesture resolves when both presses were made, not when they were answered. */
export const doubleSubmit = {
  /** A real double click of the mouse. */
  async doubleClick(button: Locator): Promise<void> {
    await button.dblclick();
  },

  /** Two submits before the page can draw anything: what a state that disables a button never stops. */
  async twoInOneTask(form: Locator): Promise<void> {
    await form.evaluate((element) => {
      if (!(element instanceof HTMLFormElement)) throw new Error('This is not a form.');
      element.requestSubmit();
      element.requestSubmit();
    });
  },

  /** Enter in a field of the form, and at the same time a click on its button. */
  async enterAndClick(field: Locator, button: Locator): Promise<void> {
    const { x, y } = await middleOf(button);
    const { keyboard, mouse } = button.page();
    await field.focus();
    await Promise.all([keyboard.press('Enter'), mouse.click(x, y)]);
  },

  /** Enter held down on a field or a button, until it has repeated five times. */
  async heldEnter(target: Locator): Promise<void> {
    const { keyboard } = target.page();
    await target.focus();
    for (let press = 0; press < 6; press += 1) await keyboard.down('Enter');
    await keyboard.up('Enter');
  },

  /** Two taps of a finger. The browser must have a touch screen (`hasTouch`). */
  async doubleTap(button: Locator): Promise<void> {
    const { x, y } = await middleOf(button);
    const { touchscreen } = button.page();
    await Promise.all([touchscreen.tap(x, y), touchscreen.tap(x, y)]);
  },

  /**
   * Two clicks on the same place, whatever the page shows there by then: the second one so many milliseconds after the
   * first, or when `apart` has resolved.
   */
  async clicksApart(button: Locator, apart: number | (() => Promise<void>)): Promise<void> {
    const { x, y } = await middleOf(button);
    const { mouse } = button.page();
    await mouse.click(x, y);
    if (typeof apart === 'function') await apart();
    // The button goes down at once and comes up after the pause; the click happens when it comes up.
    await mouse.click(x, y, typeof apart === 'number' ? { delay: apart } : {});
  },
};

/** Both presses go to a place, as a finger does: looking for the button again would wait for it to be pressable. */
async function middleOf(button: Locator): Promise<{ x: number; y: number }> {
  await button.click({ trial: true });
  const box = await button.boundingBox();
  if (box === null) throw new Error('The button is not on the screen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
