import fc from 'fast-check';
import { expect, test } from 'vitest';
import { created, newCommand, noWork, oneEffect } from './one-command.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();

test('a new key does the work and stores the answer with its effect', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const outcome = await idempotency.runInTransaction(command, oneEffect(command, created()));

  expect(outcome).toMatchObject({ kind: 'completed', answer: created() });
  expect(await database.effects(command.key)).toBe(1);
  expect(await database.records(command.key)).toMatchObject([
    { state: 'completed', epoch: 1, tenant_id: command.tenantId, operation_id: outcome.operationId },
  ]);
});

test('the same command again gets the stored answer, and no work is done', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const answer = created({ location: '/things/1' });
  const first = await idempotency.runInTransaction(command, oneEffect(command, answer));
  const again = await idempotency.runInTransaction(structuredClone(command), noWork);

  expect(again).toEqual({ ...first, kind: 'replayed' });
  expect(await database.effects(command.key)).toBe(1);
});

test('a replay is the same status, content type, location and bytes, whatever they are', async () => {
  const { idempotency } = database.app;
  const header = fc.string({ unit: fc.constantFrom(...'abcXYZ019/;=-. é') });
  const answers = fc.record({
    status: fc.integer({ min: 200, max: 499 }),
    contentType: header,
    location: fc.option(header, { nil: undefined }),
    body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  });
  await fc.assert(
    fc.asyncProperty(answers, async ({ location, ...rest }) => {
      const answer = { ...rest, ...(location !== undefined && { location }) };
      const command = newCommand();
      await idempotency.runInTransaction(command, async () => answer);
      const again = await idempotency.runInTransaction(command, noWork);
      expect(again).toMatchObject({ kind: 'replayed' });
      expect('answer' in again && again.answer).toStrictEqual(answer);
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['NUL', Buffer.from([0, 1, 0])],
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80])],
  ['members in an odd order', Buffer.from('{"b":1, "a":2,"b":3}')],
  ['nothing at all', Buffer.alloc(0)],
])('a body of %s is replayed byte for byte', async (_, body) => {
  const { idempotency } = database.app;
  const command = newCommand();
  await idempotency.runInTransaction(command, async () => created({ body }));
  const again = await idempotency.runInTransaction(command, noWork);
  expect('answer' in again && 'body' in again.answer && again.answer.body.equals(body)).toBe(true);
});

test('a refusal such as 402 is stored too', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const declined = created({ status: 402, body: Buffer.from('declined') });
  await idempotency.runInTransaction(command, oneEffect(command, declined));
  expect(await idempotency.runInTransaction(command, noWork)).toMatchObject({
    kind: 'replayed',
    answer: declined,
  });
  expect(await database.effects(command.key)).toBe(1);
});

test('the work learns the id that every outcome of its key carries', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const seen: string[] = [];
  const { operationId } = await idempotency.runInTransaction(command, async (_, operation) => {
    seen.push(operation.operationId);
    return created();
  });
  const others = [command, { ...command, fields: 'changed' }].map((attempt) =>
    idempotency.runInTransaction(attempt, noWork),
  );
  for (const outcome of await Promise.all(others)) seen.push(outcome.operationId);
  expect(seen).toEqual([operationId, operationId, operationId]);
});
