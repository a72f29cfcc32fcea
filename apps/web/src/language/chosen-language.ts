import type { Locale } from '@pay-once/contracts';

export const languages: readonly Locale[] = ['en', 'id'];

const storageKey = 'pay-once:language';

/** The language chosen before in this browser, else the first of the browser's own that we speak, else English. */
export function chosenLanguage(): Locale {
  const wanted = [storedLanguage(), ...navigator.languages];
  return (
    wanted.map((tag) => languages.find((language) => tag?.split('-')[0] === language)).find(Boolean) ?? 'en'
  );
}

/** Keeps the choice for the next visit, where the browser lets us. */
export function keepLanguage(language: Locale): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Storage is blocked or full: the choice lasts until the page closes.
  }
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
