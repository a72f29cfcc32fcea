import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTranslator } from 'use-intl/core';
import { describe, expect, it } from 'vitest';
import { en } from '../src/messages/en';
import { id } from '../src/messages/id';

type Texts = { readonly [key: string]: string | Texts };

/** Every text by its whole key, such as `pay.button`. */
function flatten(texts: Texts, prefix = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + name, value]] : flatten(value, `${prefix}${name}.`),
  );
}

/** The names of what a text leaves open, such as `amount` in "Pay {amount}". */
function placeholders(text: string): string[] {
  // `other {once}` is the wording of a plural's branch and leaves nothing open.
  const named = text.matchAll(/(?<!(?:=\d+|one|other) )\{(\w+)[,}]/g);
  return [...new Set([...named].map((match) => match[1] ?? ''))].sort();
}

const english = flatten(en);
const indonesian = new Map(flatten(id));

const source = join(import.meta.dirname, '../src');
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('messages'))
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .join('\n');

function isUsed(key: string): boolean {
  // A group whose last part is chosen at run time is used as a whole: `problem.${code}`.
  const group = key.slice(0, key.lastIndexOf('.') + 1);
  return code.includes(`'${key}'`) || code.includes(`\`${group}\${`);
}

describe('the texts of the screens', () => {
  it('exist in both languages under the same keys', () => {
    expect([...indonesian.keys()].sort()).toEqual(english.map(([key]) => key).sort());
  });

  it('are all used by some source file', () => {
    expect(english.map(([key]) => key).filter((key) => !isUsed(key))).toEqual([]);
  });

  it('leave the same things open in both languages', () => {
    for (const [key, text] of english) {
      expect([key, placeholders(indonesian.get(key) ?? '')]).toEqual([key, placeholders(text)]);
    }
  });

  it.each([
    ['en', en],
    ['id', id],
  ] as const)('can all be formatted in %s', (locale, messages) => {
    const translate = createTranslator({
      locale,
      messages: messages as typeof en,
      onError: (error) => {
        throw error;
      },
    }) as (key: string, values: Record<string, string | number>) => string;
    for (const [key, text] of flatten(messages)) {
      const values = Object.fromEntries(
        placeholders(text).map((name) => [name, name === 'count' ? 2 : name]),
      );
      expect(translate(key, values)).not.toMatch(/[{}]|^\s*$/);
    }
  });
});
