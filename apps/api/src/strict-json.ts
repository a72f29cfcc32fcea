import { type ParseError, visit } from 'jsonc-parser';
import { ProblemError } from './problem-error.js';

/** How deep arrays and objects may be nested in a body. */
const DEPTH_MAX = 10;

/**
 * Parses JSON and refuses what two parsers would read differently, because one body must be one command:
 * duplicate members, numbers that a double cannot hold exactly, NUL, and halves of surrogate pairs.
 */
export function parseStrictJson(text: string): unknown {
  const refusal = findRefusal(text);
  if (refusal !== undefined) throw new ProblemError('request_invalid', refusal);
  return JSON.parse(text);
}

function findRefusal(text: string): string | undefined {
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
    if (depth > DEPTH_MAX) {
      throw new ProblemError('request_invalid', `The body is nested deeper than ${DEPTH_MAX} levels.`);
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
        // Whoever copies the object loses this member, so it would be dropped without a word.
        if (name === '__proto__') refuse('An object names the member __proto__.');
        if (members.at(-1)?.has(name)) refuse('An object names a member twice.');
        members.at(-1)?.add(name);
      },
      onLiteralValue: (value: unknown) => {
        if (typeof value === 'string') checkString(value);
        if (typeof value !== 'number') return;
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
