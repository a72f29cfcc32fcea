import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { newAuthorisation, useNetwork } from './network.js';

const network = useNetwork();

it('What was applied before a kill -9 is answered after it, under the same key and only once', async () => {
  const body = newAuthorisation('card_visa_approved');
  const key = randomUUID();
  await network.arm({ fault: 'slow', on: 'authorisations', delayMs: 600_000 });
  const unanswered = network.post('/authorisations', body, key).catch((error: Error) => error);
  await expect.poll(() => network.recorded(body.reference), { timeout: 20_000 }).toHaveLength(1);
  await network.restart('SIGKILL');
  expect(await unanswered).toBeInstanceOf(Error);

  const again = await network.post('/authorisations', body, key);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(await network.recorded(body.reference)).toHaveLength(1);
});

it('A card that has misbehaved does not do it once more after a kill -9', async () => {
  const body = newAuthorisation('card_request_lost');
  await expect(network.post('/authorisations', body)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await network.restart('SIGKILL');
  expect((await network.post('/authorisations', body)).status).toBe(201);
});

it('SIGTERM ends it though an answer has no end', async () => {
  const body = newAuthorisation('card_visa_approved');
  await network.arm({ fault: 'slow', on: 'authorisations', delayMs: 600_000 });
  const unanswered = network.post('/authorisations', body).catch((error: Error) => error);
  await expect.poll(() => network.recorded(body.reference), { timeout: 20_000 }).toHaveLength(1);
  await network.restart('SIGTERM');
  expect(await unanswered).toBeInstanceOf(Error);
});

it('It ends when whoever started it is gone', async () => {
  const { process } = network;
  process.disconnect();
  await expect.poll(() => process.exitCode, { timeout: 20_000 }).toBe(0);
  await network.restart('SIGKILL');
});

it('Told to forget its keys, it does the same thing twice under one key', async () => {
  const body = newAuthorisation('card_visa_approved');
  const key = randomUUID();
  await network.post('/authorisations', body, key);
  expect((await network.post('/admin/forget-keys', undefined)).status).toBe(204);
  const again = await network.post('/authorisations', body, key);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  expect(await network.recorded(body.reference)).toHaveLength(2);
});

it('It remembers a key as long as it is told to', async () => {
  await network.restart('SIGTERM', { RETENTION_MS: '1' });
  const body = newAuthorisation('card_visa_approved');
  const key = randomUUID();
  for (const _ of [1, 2]) await network.post('/authorisations', body, key);
  expect(await network.recorded(body.reference)).toHaveLength(2);
  await network.restart('SIGTERM');
});

it('Migrating again changes nothing, also two at once; with --reset the record is empty', async () => {
  const body = newAuthorisation('card_visa_approved');
  await network.post('/authorisations', body);
  await Promise.all([network.migrate(), network.migrate()]);
  expect(await network.recorded(body.reference)).toHaveLength(1);
  await network.migrate(['--reset']);
  expect(await network.recorded(body.reference)).toEqual([]);
});
