import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  KEY_LENGTH_MAX,
  type ParsedKey,
  parseIdempotencyKey,
  readIdempotencyKey,
} from '../src/idempotency-key.js';

const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
const keys = printable.filter(({ length }) => length >= 1 && length <= KEY_LENGTH_MAX);

function quote(key: string): string {
  return `"${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

describe('one value', () => {
  test('the quoted and the bare form are the same key', () => {
    expect(parseIdempotencyKey('"abc-123"')).toEqual({ kind: 'valid', key: 'abc-123' });
    expect(parseIdempotencyKey('abc-123')).toEqual({ kind: 'valid', key: 'abc-123' });
  });

  test('any printable ASCII can be quoted', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(parseIdempotencyKey(quote(key))).toEqual({ kind: 'valid', key });
      }),
    );
  });

  test('any printable ASCII can be bare, without a comma, a leading quote and outer spaces', () => {
    const bareKeys = keys.filter((key) => !key.includes(',') && !key.startsWith('"') && key.trim() === key);
    fc.assert(
      fc.property(bareKeys, (key) => {
        expect(parseIdempotencyKey(key)).toEqual({ kind: 'valid', key });
        expect(parseIdempotencyKey(`  ${key} `)).toEqual({ kind: 'valid', key });
      }),
    );
  });

  test('case counts', () => {
    expect(parseIdempotencyKey('Abc')).not.toEqual(parseIdempotencyKey('abc'));
  });

  test.each(['', ' ', '""', ' "" '])('%j is missing', (value) => {
    expect(parseIdempotencyKey(value).kind).toBe('missing');
  });

  test('255 characters are a key, 256 are not, in both forms', () => {
    const longest = 'k'.repeat(255);
    for (const form of [longest, quote(longest)]) expect(parseIdempotencyKey(form).kind).toBe('valid');
    for (const form of [`${longest}k`, quote(`${longest}k`)])
      expect(parseIdempotencyKey(form).kind).toBe('malformed');
  });

  test('an escaped character counts as one', () => {
    expect(parseIdempotencyKey(quote('"'.repeat(255)))).toEqual({ kind: 'valid', key: '"'.repeat(255) });
  });

  test('anything that is not printable ASCII is refused, at every place and in both forms', () => {
    const others = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 3 })
      .filter((other) => !/[\x20-\x7e]/.test(other));
    fc.assert(
      fc.property(printable, others, printable, (before, other, after) => {
        expect(parseIdempotencyKey(before + other + after).kind).toBe('malformed');
        expect(parseIdempotencyKey(`"${before}${other}${after}"`).kind).toBe('malformed');
      }),
    );
    // White space that `trim` would take away without a word.
    for (const space of ['\u00a0', '\t', '\n', '\ufeff'])
      expect(parseIdempotencyKey(`${space}abc`).kind).toBe('malformed');
  });

  test('a bare key with a comma is refused: two joined fields must not pass for one key', () => {
    for (const value of ['a,b', 'a, b', ',', 'a,']) expect(parseIdempotencyKey(value).kind).toBe('malformed');
    expect(parseIdempotencyKey('"a, b"')).toEqual({ kind: 'valid', key: 'a, b' });
  });

  test.each([
    '"',
    '"abc',
    '"abc\\"',
    '"a\\bc"',
    '"a""b"',
    '"a", "b"',
    '"a" b',
    '"a"b',
    '"abc";v=1',
    '"abc";v',
    '"abc";',
  ])('the badly quoted %s is refused', (value) => {
    expect(parseIdempotencyKey(value).kind).toBe('malformed');
  });

  test('no text at all makes the parser throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(['valid', 'missing', 'malformed']).toContain(parseIdempotencyKey(value).kind);
        expect(['valid', 'missing', 'malformed']).toContain(parseIdempotencyKey(`"${value}"`).kind);
      }),
    );
  });
});

describe('the header of a request', () => {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(readIdempotencyKey(request.rawHeaders)));
  });
  // Otherwise Node drops every header after the first thousand, a second key among them.
  server.maxHeadersCount = 0;
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** Sends header lines as they are, byte for byte, and returns what the server made of them. */
  async function send(...lines: string[]): Promise<ParsedKey> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const head = ['POST / HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n');
    socket.end(Buffer.from(head, 'latin1'));
    const answer = await text(socket);
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  }

  const others = (count: number) => Array.from({ length: count }, (_, index) => `X${index}: y`);

  test('exactly one field is the key, whatever the case of its name', async () => {
    for (const name of ['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY'])
      expect(await send(`${name}: abc`)).toEqual({ kind: 'valid', key: 'abc' });
  });

  test('outer white space of the field is not part of the key', async () => {
    expect(await send('Idempotency-Key: \t abc \t ')).toEqual({ kind: 'valid', key: 'abc' });
  });

  test('no field, and a field without a value, are missing', async () => {
    expect(await send()).toEqual({ kind: 'missing' });
    expect(await send('Idempotency-Key:')).toEqual({ kind: 'missing' });
    expect(await send('Idempotency-Key: ""')).toEqual({ kind: 'missing' });
  });

  test('a field whose value names the header is not the header', async () => {
    expect(await send('X-Idempotency-Key: abc', 'Vary: Idempotency-Key')).toEqual({ kind: 'missing' });
  });

  test.each([
    ['equal', 'abc', 'abc'],
    ['different', 'abc', 'def'],
    ['empty and not', '', 'abc'],
    ['quoted and bare', '"abc"', 'abc'],
  ])('two fields are refused: %s', async (_, first, second) => {
    expect((await send(`Idempotency-Key: ${first}`, `idempotency-key: ${second}`)).kind).toBe('malformed');
  });

  test('two fields are refused however many headers are around and between them', async () => {
    expect(
      (await send(...others(300), 'Idempotency-Key: abc', ...others(1200), 'Idempotency-Key: abc')).kind,
    ).toBe('malformed');
    expect(await send(...others(1500), 'Idempotency-Key: abc')).toEqual({ kind: 'valid', key: 'abc' });
  });

  test('bytes beyond ASCII are refused', async () => {
    for (const byte of ['\u0080', '\u00a0', '\u00e9', '\u00ff'])
      expect((await send(`Idempotency-Key: abc${byte}`)).kind).toBe('malformed');
  });
});
