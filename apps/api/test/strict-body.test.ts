import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Order, ProblemCode } from '@pay-once/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../src/problem-error.js';
import { parseStrictJson } from '../src/strict-json.js';
import { expectProblem } from './expect-problem.js';
import { useShop } from './shop.js';
import { balancePayment } from './shopper.js';

const shop = useShop();

type Write = (order: Order) => string | Buffer;

const valid = (order: Order): string => JSON.stringify(balancePayment(order));

/** Writes the valid body with one more member first. */
const withMember =
  (member: string): Write =>
  (order) =>
    `{${member},${valid(order).slice(1)}`;

const REFUSED: [string, Write, ProblemCode][] = [
  ['nothing', () => '', 'request_invalid'],
  ['no JSON', () => 'amountMinor=1', 'request_invalid'],
  ['half of the JSON', (order) => valid(order).slice(0, -1), 'request_invalid'],
  ['something after the JSON', (order) => `${valid(order)}{}`, 'request_invalid'],
  ['a trailing comma', (order) => `${valid(order).slice(0, -1)},}`, 'request_invalid'],
  ['a comment', (order) => `/* */${valid(order)}`, 'request_invalid'],
  ['a byte order mark', (order) => `\uFEFF${valid(order)}`, 'request_invalid'],
  ['a raw control character', withMember('"a\u0001":1'), 'request_invalid'],
  ['compressed JSON', (order) => gzipSync(valid(order)), 'request_invalid'],
  ['null', () => 'null', 'request_invalid'],
  ['a list', (order) => `[${valid(order)}]`, 'request_invalid'],
  ['a text', (order) => JSON.stringify(valid(order)), 'request_invalid'],
  // JSON.parse would take the last of two members, and another parser the first.
  ['a member twice', withMember('"amountMinor":1'), 'request_invalid'],
  ['a member twice, once escaped', withMember('"amount\\u004dinor":1'), 'request_invalid'],
  [
    'an inner member twice',
    (order) => valid(order).replace('"type"', '"type":"card","type"'),
    'request_invalid',
  ],
  ['a member that names a constructor', withMember('"constructor":{"prototype":{}}'), 'request_invalid'],
  [
    'an amount that rounds to the price',
    (order) => valid(order).replace(/(\d+)/, '$1.0000000000000001'),
    'request_invalid',
  ],
  ['an unknown member', withMember('"sandboxId":"x"'), 'request_invalid'],
  ['a member that names a prototype', withMember('"__proto__":{"amountMinor":1}'), 'request_invalid'],
  [
    'an unknown inner member',
    (order) => valid(order).replace('"type"', '"card":"x","type"'),
    'request_invalid',
  ],
  ['an amount as a text', (order) => valid(order).replace(/\d+/, '"$&"'), 'request_invalid'],
  ['half a minor unit', (order) => valid(order).replace(/\d+/, '$&.5'), 'request_invalid'],
  ['no amount', (order) => valid(order).replace(/"amountMinor":\d+,/, ''), 'request_invalid'],
  ['an amount of zero', (order) => valid(order).replace(/\d+/, '0'), 'request_invalid'],
  ['a negative amount', (order) => valid(order).replace(/\d+/, '-$&'), 'request_invalid'],
  [
    'more than the largest amount',
    (order) => valid(order).replace(/\d+/, '10000000000001'),
    'request_invalid',
  ],
  [
    'an amount beyond safe integers',
    (order) => valid(order).replace(/\d+/, '9007199254740993'),
    'request_invalid',
  ],
  ['an infinite amount', (order) => valid(order).replace(/\d+/, '1e999'), 'request_invalid'],
  ['an unknown currency', (order) => valid(order).replace('IDR', 'XXX'), 'request_invalid'],
  ['an unknown method', (order) => valid(order).replace('"balance"', '"cash"'), 'request_invalid'],
  ['arrays in arrays to the size limit', () => '['.repeat(32 * 1024), 'request_invalid'],
  ['objects in objects to the size limit', () => '{"":'.repeat(8 * 1024), 'request_invalid'],
  ['more than 32 KB', (order) => valid(order).padEnd(32 * 1024 + 1), 'payload_too_large'],
];

describe('a body', () => {
  it.each(REFUSED)('of %s is refused, and the key stays unused', async (_name, write, code) => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const headers = { 'content-type': 'application/json' };
    expectProblem(await shopper.pay(order, { key, headers, body: write(order) }), code);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });

    const paid = await shopper.pay(order, { key });
    expect(paid.status).toBe(201);
    expect(paid.headers).not.toHaveProperty('idempotent-replayed');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset="iso-8859-1"',
    'application/problem+json',
    'nonsense',
    '',
  ])('of the type "%s" is refused, and the key stays unused', async (contentType) => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const headers = { 'content-type': contentType };
    const refused = await shopper.pay(order, { key, headers, body: valid(order) });
    expectProblem(refused, 'unsupported_media_type');
    expect((await shop.recorded(shopper)).keys).toEqual([]);
    expect((await shopper.pay(order, { key })).status).toBe(201);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'may be of the type %s',
    async (contentType) => {
      const shopper = await shop.newShopper();
      const order = await shopper.order();
      const headers = { 'content-type': contentType };
      const paid = await shopper.pay(order, { key: randomUUID(), headers, body: valid(order) });
      expect(paid.status).toBe(201);
    },
  );

  it('may be exactly 32 KB long', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const headers = { 'content-type': 'application/json' };
    const body = valid(order).padEnd(32 * 1024);
    expect((await shopper.pay(order, { key: randomUUID(), headers, body })).status).toBe(201);
  });
});

describe('the parser', () => {
  const refusalOf = (text: string): string => {
    try {
      parseStrictJson(text, { depthMax: 10 });
    } catch (error) {
      expect(error).toBeInstanceOf(ProblemError);
      return (error as ProblemError).code;
    }
    return 'none';
  };

  it.each([
    ['a NUL', '["\\u0000"]'],
    ['a NUL in a name', '{"\\u0000":1}'],
    ['half a surrogate pair', '["\\ud83d"]'],
    ['the other half', '["\\ude00"]'],
    ['two halves in the wrong order', '["\\ude00\\ud83d"]'],
    ['half a surrogate pair in a name', '{"\\ud83d":1}'],
    ['an integer beyond 2^53', '[9007199254740993]'],
    ['a negative one', '[-9007199254740993]'],
    ['one with an exponent', '[1e300]'],
    ['an infinite number', '[1e309]'],
    ['a member twice, deep inside', '[[{"a":{"b":1,"b":1}}]]'],
    ['11 levels', '['.repeat(11) + ']'.repeat(11)],
  ])('refuses %s', (_name, text) => {
    expect(refusalOf(text)).toBe('request_invalid');
  });

  it.each([
    ['a whole surrogate pair', '["\\ud83d\\ude00"]'],
    ['the largest safe integer', '[9007199254740991]'],
    ['a fraction', '[0.1]'],
    ['equal members of two objects', '[{"a":1},{"a":1,"b":{"a":1}}]'],
    ['10 levels', '['.repeat(10) + ']'.repeat(10)],
  ])('takes %s', (_name, text) => {
    expect(parseStrictJson(text, { depthMax: 10 })).toEqual(JSON.parse(text));
  });

  it('reads any text as JSON.parse does, or refuses it, and never fails otherwise', () => {
    const fragment = fc.constantFrom(
      ...'{}[]:,"\\/*-+.eE019 \t\n\r\u00a0\u2028\ufeff\u0000\ud800'.split(''),
      ...['true', 'null', 'NaN', '\\u0000', '"a"', '"a":', '__proto__', '1e999', '//'],
    );
    const text = fc.oneof(
      fc.array(fragment).map((parts) => parts.join('')),
      fc.json({ maxDepth: 8 }),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        if (refusalOf(candidate) !== 'none') return;
        expect(parseStrictJson(candidate, { depthMax: 10 })).toEqual(JSON.parse(candidate));
      }),
      { numRuns: 3_000 },
    );
  });
});
