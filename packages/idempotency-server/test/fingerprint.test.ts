import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonValue, operationIdOf, requestFingerprint } from '../src/command.js';

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

function fingerprint(fields: JsonValue, operation = 'things.create'): string {
  return requestFingerprint({ operation, fields }).toString('hex');
}

/** JSON that says the same: members in reverse, numbers in exponents, every character escaped, spaces all over. */
function rewrite(value: JsonValue): string {
  if (typeof value === 'number') return Number.isInteger(value) ? value.toExponential() : String(value);
  if (typeof value === 'string')
    return `"${Array.from({ length: value.length }, (_, at) => escapeUnit(value, at)).join('')}"`;
  if (Array.isArray(value)) return `[ ${value.map(rewrite).join(' ,\n')} ]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).reverse();
    return `{ ${members.map(([name, member]) => `${rewrite(name)}\t: ${rewrite(member)}`).join(' , ')} }`;
  }
  return String(value);
}

function escapeUnit(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

test('the same command written in another way is the same command', () => {
  fc.assert(
    fc.property(json, (fields) => {
      expect(fingerprint(JSON.parse(rewrite(fields)))).toBe(fingerprint(fields));
    }),
  );
});

test.each([
  ['member order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['1000 and 1e3', '{"amountMinor":1000}', '{"amountMinor":1e3}'],
  ['1000 and 1000.0', '{"amountMinor":1000}', '{"amountMinor":1000.0}'],
  ['0 and -0', '[0]', '[-0]'],
  ['escapes', '{"name":"é/"}', '{"na\\u006de":"\\u00e9\\/"}'],
  ['white space', '{"a":[1,2]}', ' { "a" :\n[ 1 , 2 ] }'],
])('%s makes no difference', (_, one, other) => {
  expect(fingerprint(JSON.parse(one))).toBe(fingerprint(JSON.parse(other)));
});

test('two commands that differ are never the same command', () => {
  const byMeaning = (value: JsonValue) => JSON.stringify(sortMembers(value));
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(fingerprint(one) === fingerprint(other)).toBe(byMeaning(one) === byMeaning(other));
    }),
  );
});

test('any one field that is changed, added or taken away makes another command', () => {
  const objects = fc.dictionary(fc.string(), json, { minKeys: 1 });
  fc.assert(
    fc.property(objects, fc.nat(), json, (fields, pick, value) => {
      const names = Object.keys(fields);
      const name = names[pick % names.length] ?? '';
      const { [name]: before, ...without } = fields;
      fc.pre(JSON.stringify(sortMembers(before ?? null)) !== JSON.stringify(sortMembers(value)));
      expect(fingerprint(Object.fromEntries([...Object.entries(without), [name, value]]))).not.toBe(
        fingerprint(fields),
      );
      expect(fingerprint(without)).not.toBe(fingerprint(fields));
    }),
  );
});

test.each([
  ['the order of an array', '[1,2]', '[2,1]'],
  ['a number and its text', '{"amountMinor":1000}', '{"amountMinor":"1000"}'],
  ['null and absent', '{"a":null}', '{}'],
  ['nesting', '{"a":{"b":1}}', '{"a":[{"b":1}]}'],
  ['a member named __proto__', '{"__proto__":{"a":1}}', '{}'],
  ['composed and decomposed letters', '"\\u00e9"', '"e\\u0301"'],
  ['letters that only look alike in case', '"abc"', '"ABC"'],
])('%s makes a difference', (_, one, other) => {
  expect(fingerprint(JSON.parse(one))).not.toBe(fingerprint(JSON.parse(other)));
});

test('the same fields for another operation are another command', () => {
  fc.assert(
    fc.property(json, fc.string(), fc.string(), (fields, one, other) => {
      expect(fingerprint(fields, one) === fingerprint(fields, other)).toBe(one === other);
    }),
  );
});

test('what JSON cannot say is refused', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => fingerprint({ amountMinor: value })).toThrow();
});

test('a fingerprint is the SHA-256 of the canonical text, so that records outlive a release', () => {
  const canonical = '{"fields":{"amountMinor":1000,"currency":"IDR"},"operation":"things.create"}';
  expect(fingerprint({ currency: 'IDR', amountMinor: 1000 })).toBe(
    createHash('sha256').update(canonical).digest('hex'),
  );
});

test('an operation id is a UUID of version 8 that differs for every tenant and key', () => {
  const words = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(words, words, words, words, (tenant, key, otherTenant, otherKey) => {
      const id = operationIdOf(tenant, key);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(id === operationIdOf(otherTenant, otherKey)).toBe(tenant === otherTenant && key === otherKey);
    }),
  );
  // Not one string after the other: that would be one id for both.
  expect(operationIdOf('ab', 'c')).not.toBe(operationIdOf('a', 'bc'));
});

/** Members by name at every level, so that two texts are equal exactly when they mean the same. */
function sortMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sortMembers(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}
