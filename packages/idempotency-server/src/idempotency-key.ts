import { parseItem } from 'structured-headers';

/** The longest key, in characters; Stripe's documented limit, and room for any UUID scheme. */
export const KEY_LENGTH_MAX = 255;

export type ParsedKey =
  | { kind: 'valid'; key: string }
  | { kind: 'missing' }
  | { kind: 'malformed'; reason: string };

const HEADER_NAME = 'idempotency-key';
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Reads the `Idempotency-Key` of a request. Takes Node's `rawHeaders` (name, value, name, value, …),
 * because every joined form of the headers hides that a field came twice.
 *
 * Accepts the quoted string of draft-ietf-httpapi-idempotency-key-header-07 and the bare form; `"abc"` and
 * `abc` are the same key. A bare key has no comma: two joined fields must never pass for one key.
 */
export function readIdempotencyKey(rawHeaders: readonly string[]): ParsedKey {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === HEADER_NAME,
  );
  if (values.length > 1) return malformed('The header was sent more than once.');
  return parseIdempotencyKey(values[0] ?? '');
}

/** The same rules for one value that came some other way, such as a form field. */
export function parseIdempotencyKey(value: string): ParsedKey {
  if (!PRINTABLE_ASCII.test(value)) return malformed('A key has printable ASCII characters only.');
  const trimmed = value.trim();
  const quoted = trimmed.startsWith('"');
  const key = quoted ? unquote(trimmed) : trimmed;
  if (key === undefined) return malformed('The quoted form is not a valid string.');
  if (key === '') return { kind: 'missing' };
  if (key.length > KEY_LENGTH_MAX) return malformed(`A key has at most ${KEY_LENGTH_MAX} characters.`);
  if (!quoted && key.includes(',')) return malformed('A key without quotes has no comma.');
  return { kind: 'valid', key };
}

function unquote(value: string): string | undefined {
  try {
    const [item, parameters] = parseItem(value);
    return typeof item === 'string' && parameters.size === 0 ? item : undefined;
  } catch {
    return undefined;
  }
}

function malformed(reason: string): ParsedKey {
  return { kind: 'malformed', reason };
}
