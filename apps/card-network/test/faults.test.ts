import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import type { CardOperation } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import type { Reply } from './http-request.js';
import { newAuthorisation, useNetwork } from './network.js';

const DELAY_MS = 700;
const network = useNetwork({ FAULT_DELAY_MS: String(DELAY_MS) });

type Body = ReturnType<typeof newAuthorisation>;

/** What comes back to the first request of a card: a reply, or that the connection broke. */
const ask = (body: Body, key: string): Promise<Reply | 'broken'> =>
  network.post('/authorisations', body, key).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') return 'broken';
    throw error;
  });

const approved = ({ reference, amountMinor, currency }: Body): CardOperation =>
  ({ reference, kind: 'authorisation', status: 'approved', amountMinor, currency }) as CardOperation;

/** Asked again under the same key, the network approves, and has done so once. */
async function expectGoodNow(body: Body, key: string, first: 'replayed' | 'new'): Promise<void> {
  const again = await ask(body, key);
  if (again === 'broken') throw new Error('The connection broke again.');
  expect([again.status, JSON.parse(again.text)]).toEqual([201, approved(body)]);
  expect(again.headers['idempotent-replayed']).toBe(first === 'replayed' ? 'true' : undefined);
  expect(await network.recorded(body.reference)).toMatchObject([approved(body)]);
}

describe('the first time that the network hears of a payment,', () => {
  it.each([
    ['card_reply_lost', 1],
    ['card_request_lost', 0],
  ])('%s breaks the connection and has applied it %i times', async (card, times) => {
    const body = newAuthorisation(card);
    const key = randomUUID();
    expect(await ask(body, key)).toBe('broken');
    expect(await network.recorded(body.reference)).toHaveLength(times);
    await expectGoodNow(body, key, times === 1 ? 'replayed' : 'new');
  });

  it.each([
    ['card_error_before', 0, 500, 'application/problem+json'],
    ['card_error_after', 1, 500, 'application/problem+json'],
    ['card_bad_gateway', 1, 502, 'text/html'],
    ['card_redirect', 0, 307, undefined],
  ])('%s has applied it %i times and answers %i', async (card, times, status, contentType) => {
    const body = newAuthorisation(card);
    const key = randomUUID();
    expect(await ask(body, key)).toMatchObject({ status });
    expect(await network.recorded(body.reference)).toHaveLength(times);
    await expectGoodNow(body, key, times === 1 ? 'replayed' : 'new');
    const other = await ask(newAuthorisation(card), randomUUID());
    expect(other === 'broken' ? other : other.headers['content-type']).toBe(contentType);
  });

  it('card_slow approves late', async () => {
    const body = newAuthorisation('card_slow');
    const key = randomUUID();
    const startedAt = performance.now();
    expect(await ask(body, key)).toMatchObject({ status: 201 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(DELAY_MS);
    await expectGoodNow(body, key, 'replayed');
  });

  it('card_applied_late breaks the connection and applies it later', async () => {
    const body = newAuthorisation('card_applied_late');
    const key = randomUUID();
    const startedAt = performance.now();
    expect(await ask(body, key)).toBe('broken');
    await expect.poll(() => network.recorded(body.reference), { timeout: 20_000 }).toHaveLength(1);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(DELAY_MS);
    await expectGoodNow(body, key, 'replayed');
  });

  it('card_applied_late comes to nothing when it was asked again meanwhile', async () => {
    const body = newAuthorisation('card_applied_late');
    const key = randomUUID();
    const other = newAuthorisation('card_applied_late');
    await ask(body, key);
    await expectGoodNow(body, key, 'new');
    // What was asked later is applied later: then the first one is over, too.
    await ask(other, randomUUID());
    await expect.poll(() => network.recorded(other.reference), { timeout: 20_000 }).toHaveLength(1);
    expect(await network.recorded(body.reference)).toHaveLength(1);
  });

  it('card_malformed has applied it, and answers half of the JSON', async () => {
    const body = newAuthorisation('card_malformed');
    const key = randomUUID();
    const reply = await ask(body, key);
    if (reply === 'broken') throw new Error('The connection broke.');
    expect([reply.status, reply.headers['content-type']]).toEqual([201, 'application/json; charset=utf-8']);
    expect(() => JSON.parse(reply.text)).toThrow(SyntaxError);
    await expectGoodNow(body, key, 'replayed');
  });

  it('card_huge has applied it, and its answer goes on as long as it is read', async () => {
    const body = newAuthorisation('card_huge');
    const key = randomUUID();
    const reply = await open(body, key);
    expect(reply.statusCode).toBe(201);
    let bytes = 0;
    for await (const chunk of reply) {
      bytes += (chunk as Buffer).length;
      if (bytes > 20 * 1024 * 1024) break;
    }
    await expectGoodNow(body, key, 'replayed');
  });

  it('card_dripping has applied it, and answers a byte at a time', async () => {
    const body = newAuthorisation('card_dripping');
    const key = randomUUID();
    const reply = await open(body, key);
    expect([reply.statusCode, Number(reply.headers['content-length']) > 100]).toEqual([201, true]);
    const startedAt = performance.now();
    let bytes = '';
    for await (const chunk of reply) {
      bytes += String(chunk);
      if (bytes.length === 3) break;
    }
    expect(bytes).toBe('{"r');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1.5 * DELAY_MS);
    await expectGoodNow(body, key, 'replayed');
  });

  it.each([
    ['card_wrong_amount', { amountMinor: 149_999_999 }],
    ['card_wrong_currency', { currency: 'USD' }],
  ])('%s applies something else, and stands by it', async (card, wrong) => {
    const body = newAuthorisation(card);
    const key = randomUUID();
    const replies = [await ask(body, key), await ask(body, key)];
    for (const reply of replies) {
      expect(reply === 'broken' ? reply : JSON.parse(reply.text)).toEqual({ ...approved(body), ...wrong });
    }
    expect(await network.recorded(body.reference)).toMatchObject([wrong]);
  });

  it('card_lookup_unknown has applied it, breaks the connection, and does not find it for a while', async () => {
    const body = newAuthorisation('card_lookup_unknown');
    const key = randomUUID();
    const startedAt = performance.now();
    expect(await ask(body, key)).toBe('broken');
    const lookUp = async () => (await network.get(`/operations/${body.reference}`)).status;
    const atOnce = await lookUp();
    if (performance.now() - startedAt < DELAY_MS) expect(atOnce).toBe(404);
    expect(await network.recorded(body.reference)).toHaveLength(1);
    await expect.poll(lookUp, { timeout: 20_000 }).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(DELAY_MS);
    await expectGoodNow(body, key, 'replayed');
  });
});

it('Whoever follows a redirect is told that all is well, and nothing was done', async () => {
  const body = newAuthorisation('card_redirect');
  const reply = await fetch(`${network.url}/authorisations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  expect([reply.redirected, await reply.json()]).toEqual([true, approved(body)]);
  expect(await network.recorded(body.reference)).toEqual([]);
});

describe('an armed fault', () => {
  it('befalls as many requests as was said, and the next one not', async () => {
    await network.arm({ fault: 'error_before', on: 'authorisations', times: 2 });
    const body = newAuthorisation('card_visa_approved');
    const key = randomUUID();
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await network.post('/authorisations', body, key)).status);
    expect(statuses).toEqual([500, 500, 201]);
  });

  it('waits for its reference', async () => {
    const body = newAuthorisation('card_visa_approved');
    const { reference } = body;
    await network.arm({ fault: 'decline', on: 'authorisations', reference });
    const other = await network.post('/authorisations', newAuthorisation('card_visa_approved'));
    expect(JSON.parse(other.text)).toMatchObject({ status: 'approved' });
    expect(JSON.parse((await network.post('/authorisations', body)).text)).toMatchObject({
      reference,
      status: 'declined',
    });
  });

  it('goes before that of the card', async () => {
    const body = newAuthorisation('card_reply_lost');
    const key = randomUUID();
    await network.arm({ fault: 'error_before', on: 'authorisations', reference: body.reference });
    expect(await ask(body, key)).toMatchObject({ status: 500 });
    expect(await ask(body, key)).toBe('broken');
    await expectGoodNow(body, key, 'replayed');
  });

  it('befalls a replay, too', async () => {
    const body = newAuthorisation('card_visa_approved');
    const key = randomUUID();
    await ask(body, key);
    await network.arm({ fault: 'reply_lost', on: 'authorisations' });
    expect(await ask(body, key)).toBe('broken');
    await expectGoodNow(body, key, 'replayed');
  });

  it('takes its own delay', async () => {
    const body = newAuthorisation('card_visa_approved');
    await network.arm({ fault: 'slow', on: 'authorisations', delayMs: 1_500 });
    const startedAt = performance.now();
    await network.post('/authorisations', body);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_500);
  });

  it('of a refund or a mail goes wrong in the same ways', async () => {
    const paid = newAuthorisation('card_visa_approved');
    await network.post('/authorisations', paid);
    const { reference: authorisation, amountMinor, currency } = paid;
    const refund = { reference: randomUUID(), authorisation, amountMinor, currency };
    const mail = { to: 'rani@example.com', subject: randomUUID(), text: 'Your seats.' };
    for (const [on, body] of [
      ['refunds', refund],
      ['mails', mail],
    ] as const) {
      const key = randomUUID();
      await network.arm({ fault: 'reply_lost', on });
      await expect(network.post(`/${on}`, body, key)).rejects.toMatchObject({ code: 'ECONNRESET' });
      const again = await network.post(`/${on}`, body, key);
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    }
    expect(await network.recorded(refund.reference)).toMatchObject([{ status: 'approved', amountMinor }]);
    const mails = JSON.parse((await network.get('/mails?limit=1000')).text).mails as { subject: string }[];
    expect(mails.filter(({ subject }) => subject === mail.subject)).toHaveLength(1);
  });

  it('of a look-up leaves the record alone', async () => {
    const body = newAuthorisation('card_visa_approved');
    await network.post('/authorisations', body);
    const path = `/operations/${body.reference}`;
    for (const [fault, status] of [
      ['lookup_unknown', 404],
      ['error_before', 500],
      ['slow', 200],
    ] as const) {
      await network.arm({ fault, on: 'operations', reference: body.reference });
      expect([fault, (await network.get(path)).status]).toEqual([fault, status]);
      expect((await network.get(path)).status).toBe(200);
    }
    await network.arm({ fault: 'request_lost', on: 'operations', reference: body.reference });
    await expect(network.get(path)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await network.arm({ fault: 'malformed', on: 'operations', reference: body.reference });
    const malformed = await network.get(path);
    expect(() => JSON.parse(malformed.text)).toThrow(SyntaxError);
    expect(await network.recorded(body.reference)).toHaveLength(1);
  });

  it('is taken back', async () => {
    await network.arm({ fault: 'error_before', on: 'authorisations', times: 5 });
    await network.disarm();
    const reply = await network.post('/authorisations', newAuthorisation('card_visa_approved'));
    expect(reply.status).toBe(201);
  });

  it('that makes no sense is refused', async () => {
    for (const fault of [
      { fault: 'nothing', on: 'mails' },
      { fault: 'slow', on: 'everything' },
      { fault: 'decline', on: 'mails' },
      { fault: 'applied_late', on: 'operations' },
      { fault: 'slow', on: 'mails', times: 0 },
    ]) {
      await expect(network.arm(fault)).rejects.toThrow('Not valid');
    }
  });
});

/** Asks and resolves with the reply as soon as its headers are there. */
function open(body: Body, key: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const outgoing = request(`${network.url}/authorisations`, { method: 'POST', headers }, resolve);
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}
