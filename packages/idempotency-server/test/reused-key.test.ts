import { expect, test } from 'vitest';
import { newCommand, noWork, oneEffect } from './one-command.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();

test.each([
  ['other fields', { fields: { amountMinor: 1001 } }],
  ['another operation', { operation: 'things.delete' }],
])('a key with %s is refused, and its record stays as it is', async (_, changed) => {
  const { idempotency } = database.app;
  const command = newCommand();
  await idempotency.runInTransaction(command, oneEffect(command));
  const before = await database.records(command.key);

  const outcome = await idempotency.runInTransaction({ ...command, ...changed }, noWork);
  expect(outcome.kind).toBe('key_reused');
  expect(await database.records(command.key)).toEqual(before);
  expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('replayed');
});

test('two tenants with one key never meet', async () => {
  const { idempotency } = database.app;
  const mine = newCommand();
  const theirs = { ...newCommand('something else'), key: mine.key };
  const outcomes = await Promise.all(
    [mine, theirs].map((command) => idempotency.runInTransaction(command, oneEffect(command))),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(['completed', 'completed']);
  expect(new Set(outcomes.map(({ operationId }) => operationId)).size).toBe(2);
  expect(await database.records(mine.key)).toHaveLength(2);
  expect(await database.effects(mine.key)).toBe(2);
});
