import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { requestBytes, sendBytes } from './raw-http.js';
import { useShop } from './shop.js';
import { balancePayment } from './shopper.js';

const shop = useShop();

/** As header bytes: `node:http` writes each character as one byte. */
const LATIN_1_LETTER = 'é';

describe('a key', () => {
  it.each([
    ['a bare text', 'order-1.attempt_A~', '"order-1.attempt_A~"'],
    ['a quoted text', '"abc"', 'abc'],
    ['white space around it', '  \t abc \t', 'abc'],
    ['a space inside', 'a b', '"a b"'],
    ['a quote inside', 'a"b', '"a\\"b"'],
    ['a backslash inside', 'a\\b', '"a\\\\b"'],
    ['a single character', '!', '"!"'],
    ['255 characters', 'k'.repeat(255), `"${'k'.repeat(255)}"`],
    ['a UUID', randomUUID(), undefined],
  ])('may be %s, and both forms are the same key', async (_name, form, otherForm) => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const first = await shopper.pay(order, { key: form });
    expect(first.status).toBe(201);
    const again = await shopper.pay(order, { key: otherForm ?? `"${form}"` });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await shop.recorded(shopper)).keys).toHaveLength(1);
  });

  it('may have a comma when it is quoted', async () => {
    const shopper = await shop.newShopper();
    expect((await shopper.pay(await shopper.order(), { key: '"a,b"' })).status).toBe(201);
    expect((await shop.recorded(shopper)).keys).toEqual(['a,b']);
  });

  it('tells capital letters from small ones', async () => {
    const shopper = await shop.newShopper();
    for (const key of ['abc', 'ABC']) {
      const reply = await shopper.pay(await shopper.order(), { key });
      expect(reply.status).toBe(201);
      expect(reply.headers).not.toHaveProperty('idempotent-replayed');
    }
    expect((await shop.recorded(shopper)).charges).toBe(2);
  });
});

/** Node keeps the first two thousand headers unless it is told otherwise. */
const MANY_HEADERS = Array.from({ length: 2_100 }, () => 'a:');

it('A key is found behind two thousand other headers', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const bytes = requestBytes(
    `POST /api/orders/${order.id}/payments`,
    [
      `Authorization: Bearer ${shopper.token}`,
      'Content-Type: application/json',
      ...MANY_HEADERS,
      `Idempotency-Key: ${key}`,
    ],
    JSON.stringify(balancePayment(order)),
  );
  expect((await sendBytes(shop.url, bytes)).status).toBe(201);
  expect((await sendBytes(shop.url, bytes)).headers['idempotent-replayed']).toBe('true');
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, keys: [key] });
});

describe('nothing is processed', () => {
  it.each<[string, string | undefined]>([
    ['no key', undefined],
    ['an empty key', ''],
    ['an empty quoted key', '""'],
    ['only white space', ' \t '],
  ])('with %s, and the problem links to what a key is', async (_name, key) => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const reply = await shopper.send('POST', `/api/orders/${order.id}/payments`, {
      headers,
      body: balancePayment(order),
    });
    expectProblem(reply, 'idempotency_key_missing');
    const [, page] = /^<([^>]+)>; rel="describedby"$/.exec(String(reply.headers['link'])) ?? [];
    expect((await shopper.send('GET', String(page))).status).toBe(200);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });
  });

  it.each<[string, string | string[]]>([
    ['256 characters', 'k'.repeat(256)],
    ['256 quoted characters', `"${'k'.repeat(256)}"`],
    ['a comma in the bare form', 'a,b'],
    ['a quote that is not closed', '"abc'],
    ['something after the quoted text', '"abc"d'],
    ['an escape of an ordinary letter', '"a\\bc"'],
    ['a tab inside', 'a\tb'],
    ['a letter beyond ASCII', `caf${LATIN_1_LETTER}`],
    ['a quoted letter beyond ASCII', `"caf${LATIN_1_LETTER}"`],
    ['two fields', ['abc', 'def']],
    ['two equal fields', ['abc', 'abc']],
    ['two fields of which one is empty', ['abc', '']],
    ['two quoted fields that join to one list', ['"abc"', '"def"']],
  ])('with %s', async (_name, key) => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const reply = await shopper.send('POST', `/api/orders/${order.id}/payments`, {
      headers: { 'idempotency-key': key },
      body: balancePayment(order),
    });
    expectProblem(reply, 'idempotency_key_invalid');
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], keys: [] });
  });

  it('with a second key hidden behind two thousand other headers', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const fields = [
      `Authorization: Bearer ${shopper.token}`,
      'Content-Type: application/json',
      'Idempotency-Key: first',
      ...MANY_HEADERS,
      'Idempotency-Key: second',
    ];
    const reply = await sendBytes(
      shop.url,
      requestBytes(`POST /api/orders/${order.id}/payments`, fields, JSON.stringify(balancePayment(order))),
    );
    expectProblem(reply, 'idempotency_key_invalid');
    expect((await shop.recorded(shopper)).charges).toBe(0);
  });

  it('with a key in the query or in the body instead of the header', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const path = `/api/orders/${order.id}/payments`;
    const body = balancePayment(order);
    expectProblem(
      await shopper.send('POST', `${path}?Idempotency-Key=abc`, { body }),
      'idempotency_key_missing',
    );
    const keyInBody = { ...body, idempotencyKey: 'abc' };
    expectProblem(await shopper.send('POST', path, { body: keyInBody }), 'request_invalid');
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, keys: [] });
  });
});
