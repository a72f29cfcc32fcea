import type { Locale } from '@pay-once/contracts';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { IntlProvider } from 'use-intl';
import { en } from '../messages/en';
import { id } from '../messages/id';
import { chosenLanguage, keepLanguage } from './chosen-language';
import { createFormat, type Format } from './format';

const formats: Record<Locale, Format> = { en: createFormat('en'), id: createFormat('id') };
// The keys are checked where the texts are written; only the texts themselves differ.
const messages: Record<Locale, typeof en> = { en, id: id as typeof en };

interface LanguageChoice {
  language: Locale;
  choose(language: Locale): void;
}

const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(chosenLanguage);

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  function choose(chosen: Locale) {
    keepLanguage(chosen);
    setLanguage(chosen);
  }

  return (
    <LanguageContext value={{ language, choose }}>
      <IntlProvider locale={language} messages={messages[language]}>
        {children}
      </IntlProvider>
    </LanguageContext>
  );
}

export function useLanguage(): LanguageChoice {
  return use(LanguageContext);
}

/** Amounts and dates in the language on screen. */
export function useFormat(): Format {
  return formats[useLanguage().language];
}
