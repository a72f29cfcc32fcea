import { type ParseError, visit } from 'jsonc-parser';
import { ProblemError } from './problem-error.js';

/** How many decimal digits a double always holds exactly. */
const DIGITS_MAX = 15;

const UNSAFE_MEMBERS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses JSON and refuses what two parsers would read differently, because one body must be one command:
 * duplicate members, numbers that a double cannot hold exactly, NUL, and halves of surrogate pairs. `depthMax`: how
 * deep arrays and objects may be nested.
 */
export function parseStrictJson(text: string, { depthMax }: { depthMax: number }): unknown {
  const refusal = findRefusal(text, depthMax);
  if (refusal !== undefined) throw new ProblemError('request_invalid', refusal);
  return JSON.parse(text);
}

function findRefusal(text: string, depthMax: number): string | undefined {
  let refusal: string | undefined;
  let depth = 0;
  const refuse = (reason: string): void => {
    refusal ??= reason;
  };
  const checkString = (value: string): void => {
    if (value.includes('\0')) refuse('A text holds a NUL character.');
    if (!value.isWellFormed()) refuse('A text holds half a surrogate pair.');
  };
  const members: Set<string>[] = [];
  const enter = (): void => {
    depth++;
    // Thrown, not noted: the scanner recurses, and a body of brackets would use up the stack before its end.
    if (depth > depthMax) {
      throw new ProblemError('request_invalid', `The body is nested deeper than ${depthMax} levels.`);
    }
  };
  visit(
    text,
    {
      onObjectBegin: () => {
        members.push(new Set());
        enter();
      },
      onObjectEnd: () => {
        members.pop();
        depth--;
      },
      onArrayBegin: enter,
      onArrayEnd: () => {
        depth--;
      },
      onObjectProperty: (name) => {
        checkString(name);
        // Whoever copies or cleans the object loses these members, so they would be dropped without a word.
        if (UNSAFE_MEMBERS.has(name)) refuse('An object names a member that no object may have.');
        if (members.at(-1)?.has(name)) refuse('An object names a member twice.');
        members.at(-1)?.add(name);
      },
      onLiteralValue: (value: unknown, offset: number, length: number) => {
        if (typeof value === 'string') checkString(value);
        if (typeof value !== 'number') return;
        // With more digits two numbers become one: 34999999.99999999999 would be read as 35000000.
        const literal = text.slice(offset, offset + length);
        if (!/^-?\d+$/.test(literal) && significantDigits(literal) > DIGITS_MAX) {
          refuse('A number has more digits than can be held exactly.');
        }
        if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
          refuse('A number is larger than can be held exactly.');
        }
      },
      onError: (_error: ParseError['error']) => refuse('The body is not valid JSON.'),
    },
    { disallowComments: true },
  );
  return refusal;
}

function significantDigits(literal: string): number {
  return (literal.split(/e/i, 1)[0] ?? '').replace(/\D/g, '').length;
}
