import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';
import { en } from './src/messages/en';
import { id } from './src/messages/id';

type Texts = { readonly [key: string]: string | Texts };

const texts: Record<string, Texts> = { en, id };

/**
 * Reads the texts' plurals and placeholders when the shop is built, so that no browser has to bring a parser along.
 * The development server and the unit tests read them as they are written.
 */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    apply: 'build',
    config: () => ({
      resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
    }),
    load(file) {
      const language = /\/src\/messages\/(\w+)\.ts$/.exec(file)?.[1];
      const written = language === undefined ? undefined : texts[language];
      return written && `export const ${language} = ${JSON.stringify(compiled(written))};`;
    },
  };
}

function compiled(written: Texts): object {
  return Object.fromEntries(
    Object.entries(written).map(([key, text]) => [
      key,
      typeof text === 'string' ? compile(text) : compiled(text),
    ]),
  );
}
