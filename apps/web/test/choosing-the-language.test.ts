import { afterEach, describe, expect, it, vi } from 'vitest';
import { chosenLanguage, keepLanguage } from '../src/language/chosen-language';

/** A browser that asks for `wanted`, with a storage that works or one that throws. */
function openBrowser(wanted: string[], storage: 'works' | 'blocked'): void {
  const kept = new Map<string, string>();
  vi.stubGlobal('navigator', { languages: wanted });
  vi.stubGlobal('localStorage', {
    getItem(key: string) {
      if (storage === 'blocked') throw new DOMException('blocked', 'SecurityError');
      return kept.get(key) ?? null;
    },
    setItem(key: string, value: string) {
      if (storage === 'blocked') throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
  });
}

afterEach(() => vi.unstubAllGlobals());

describe('the language', () => {
  it.each([
    [['id-ID', 'en'], 'id'],
    [['fr', 'id'], 'id'],
    [['en-US'], 'en'],
    [['fr'], 'en'],
  ])('follows the browser: %j gives %s', (wanted, language) => {
    openBrowser(wanted, 'works');
    expect(chosenLanguage()).toBe(language);
  });

  it('stays as chosen', () => {
    openBrowser(['en'], 'works');
    keepLanguage('id');
    expect(chosenLanguage()).toBe('id');
  });

  it('can be chosen where storage is blocked', () => {
    openBrowser(['id'], 'blocked');
    expect(() => keepLanguage('en')).not.toThrow();
    expect(chosenLanguage()).toBe('id');
  });
});
