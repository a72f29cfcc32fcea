import { randomUUID } from 'node:crypto';
import { cardOperationSchema, cardOperationsSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { send } from './http-request.js';
import { newAuthorisation, useNetwork } from './network.js';

const network = useNetwork();

describe('an authorisation', () => {
  it('is done once for one key, and answered again with the same bytes', async () => {
    const body = newAuthorisation('card_visa_approved');
    const key = randomUUID();
    const first = await network.post('/authorisations', body, key);
    const second = await network.post('/authorisations', body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    const { reference, amountMinor, currency } = body;
    expect(cardOperationSchema.strict().parse(JSON.parse(first.text))).toEqual({
      reference,
      kind: 'authorisation',
      status: 'approved',
      amountMinor,
      currency,
    });
    expect(await network.recorded(reference)).toHaveLength(1);
  });

  it('is done once when many ask at once under one key', async () => {
    const body = newAuthorisation('card_visa_approved');
    const key = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => network.post('/authorisations', body, key)),
    );
    expect(new Set(replies.map((reply) => reply.status))).not.toContain(500);
    expect(replies.filter((reply) => reply.status !== 409).map((reply) => reply.status)).toContain(201);
    expect(await network.recorded(body.reference)).toHaveLength(1);
  });

  it('is done twice under two keys, and the record shows both', async () => {
    const body = newAuthorisation('card_visa_approved');
    for (const _ of [1, 2]) expect((await network.post('/authorisations', body)).status).toBe(201);
    expect(await network.recorded(body.reference)).toHaveLength(2);
  });

  it('is refused when its key belongs to another', async () => {
    const key = randomUUID();
    await network.post('/authorisations', newAuthorisation('card_visa_approved'), key);
    const other = newAuthorisation('card_visa_approved');
    const reply = await network.post('/authorisations', other, key);
    expect([reply.status, await network.recorded(other.reference)]).toEqual([422, []]);
  });

  it('that is declined is a definite answer, also when it is asked again', async () => {
    const body = newAuthorisation('card_declined');
    const key = randomUUID();
    for (const _ of [1, 2]) {
      const reply = await network.post('/authorisations', body, key);
      expect([reply.status, JSON.parse(reply.text)]).toMatchObject([201, { status: 'declined' }]);
    }
    expect(await network.recorded(body.reference)).toMatchObject([{ status: 'declined' }]);
    const again = await network.post('/authorisations', body);
    expect(JSON.parse(again.text)).toMatchObject({ status: 'declined' });
  });
});

describe('a refund', () => {
  it('gives back what was taken and no more, in as many parts as it likes, also when they come at once', async () => {
    const paid = newAuthorisation('card_visa_approved');
    await network.post('/authorisations', paid);
    const refund = (amountMinor: number, currency = paid.currency) =>
      network
        .post('/refunds', { reference: randomUUID(), authorisation: paid.reference, amountMinor, currency })
        .then((reply) => JSON.parse(reply.text).status as string);
    const thirds = await Promise.all([1, 2, 3, 4].map(() => refund(paid.amountMinor / 3)));
    expect(thirds.toSorted()).toEqual(['approved', 'approved', 'approved', 'declined']);
    expect(await refund(1)).toBe('declined');
    expect(await refund(1, 'USD')).toBe('declined');
  });

  it('of nothing is declined', async () => {
    const declined = newAuthorisation('card_declined');
    await network.post('/authorisations', declined);
    for (const authorisation of [declined.reference, randomUUID()]) {
      const body = { reference: randomUUID(), authorisation, amountMinor: 1, currency: 'IDR' };
      const reply = await network.post('/refunds', body);
      expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
        201,
        { kind: 'refund', status: 'declined' },
      ]);
      expect(await network.recorded(body.reference)).toMatchObject([{ authorisation, status: 'declined' }]);
    }
  });
});

describe('a mail', () => {
  it('is sent once for one key, and listed without its text', async () => {
    const mail = { to: 'rani@example.com', subject: randomUUID(), text: 'Your seats: 12 and 13.' };
    const key = randomUUID();
    const first = await network.post('/mails', mail, key);
    expect(first.status).toBe(201);
    expect((await network.post('/mails', mail, key)).body).toEqual(first.body);
    const { mails } = JSON.parse((await network.get('/mails')).text) as { mails: { subject: string }[] };
    const { id } = JSON.parse(first.text) as { id: string };
    expect(mails.filter((sent) => sent.subject === mail.subject)).toEqual([
      {
        sequence: expect.any(Number),
        id,
        to: mail.to,
        subject: mail.subject,
        createdAt: expect.any(String),
      },
    ]);
  });
});

describe('the record', () => {
  it('is read in pages, in the order in which things were done', async () => {
    for (const _ of [1, 2, 3]) await network.post('/authorisations', newAuthorisation('card_visa_approved'));
    const page = async (query: string) =>
      cardOperationsSchema.parse(JSON.parse((await network.get(`/operations?${query}`)).text)).operations;
    const all = await page('limit=1000');
    expect(all.map((operation) => operation.sequence)).toEqual(
      all.map((operation) => operation.sequence).toSorted((a, b) => a - b),
    );
    const [first, second] = all;
    expect(await page(`after=${first?.sequence}&limit=1`)).toEqual([second]);
    expect(await page(`after=${all.at(-1)?.sequence}`)).toEqual([]);
  });

  it('is found by reference', async () => {
    const body = newAuthorisation('card_visa_approved');
    expect((await network.get(`/operations/${body.reference}`)).status).toBe(404);
    const asked = await network.post('/authorisations', body);
    const found = await network.get(`/operations/${body.reference}`);
    expect([found.status, found.text]).toEqual([200, asked.text]);
  });

  it.each(['owner', 'process'] as const)('cannot be changed by the %s', async (role) => {
    for (const table of ['operations', 'mails']) {
      for (const change of [
        `update ${table} set created_at = now()`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(network.sql(change, role)).rejects.toThrow(
          role === 'owner' ? 'the record is written once' : `permission denied for table ${table}`,
        );
      }
    }
  });
});

describe('a request that cannot be served is answered with a small problem:', () => {
  const valid = newAuthorisation('card_visa_approved');
  it.each([
    ['no key', '/authorisations', {}, valid, 400],
    ['two keys', '/authorisations', { 'idempotency-key': ['a', 'b'] }, valid, 400],
    [
      'a card number',
      '/authorisations',
      { 'idempotency-key': 'c' },
      { ...valid, card: '4111111111111111' },
      400,
    ],
    ['no amount', '/refunds', { 'idempotency-key': 'd' }, { ...valid, amountMinor: 0 }, 400],
    ['no JSON', '/mails', { 'idempotency-key': 'e', 'content-type': 'application/json' }, '{', 400],
    ['another type', '/mails', { 'idempotency-key': 'f', 'content-type': 'text/csv' }, 'a', 415],
    ['another address', '/payments', { 'idempotency-key': 'g' }, valid, 404],
  ])('%s', async (_what, path, headers, body, status) => {
    const reply = await send(network.url + path, { method: 'POST', headers, body });
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(JSON.parse(reply.text)).toEqual({ title: expect.any(String), status, detail: expect.any(String) });
    expect(reply.text).not.toContain('4111');
    expect(await network.recorded(valid.reference)).toEqual([]);
  });
});
