import type { Locale } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { languages } from './chosen-language';
import { useLanguage } from './language';

/** Each language is named in itself, so that nobody has to read the other one to find theirs. */
const names: Record<Locale, string> = { en: 'English', id: 'Bahasa Indonesia' };

export function LanguageSwitch() {
  const t = useTranslations();
  const { language, choose } = useLanguage();
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">{t('nav.language')}</legend>
      {languages.map((each) => (
        <button
          key={each}
          type="button"
          lang={each}
          title={names[each]}
          aria-label={names[each]}
          aria-pressed={each === language}
          className="min-h-9 min-w-9 rounded-full px-2 text-sm font-semibold uppercase text-soft hover:text-ink aria-pressed:bg-accent-wash aria-pressed:text-accent"
          onClick={() => choose(each)}
        >
          {each}
        </button>
      ))}
    </fieldset>
  );
}
