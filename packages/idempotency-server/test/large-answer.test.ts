import { expect, test } from 'vitest';
import { STORED_BODY_BYTES_MAX } from '../src/outcome.js';
import { created, newCommand, noWork, oneEffect } from './one-command.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();

test('a body of 1 MiB is replayed', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const answer = created({ body: Buffer.alloc(STORED_BODY_BYTES_MAX, 'x') });
  await idempotency.runInTransaction(command, oneEffect(command, answer));
  const again = await idempotency.runInTransaction(command, noWork);
  expect(again.kind === 'replayed' && again.answer.body.equals(answer.body)).toBe(true);
});

test('a longer body reaches the first caller whole; a replay says that it was not kept, and runs nothing', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const body = Buffer.alloc(STORED_BODY_BYTES_MAX + 1, 'x');
  const first = await idempotency.runInTransaction(
    command,
    oneEffect(command, created({ body, location: '/things/1' })),
  );
  expect(first.kind === 'completed' && first.answer.body.equals(body)).toBe(true);

  const again = await idempotency.runInTransaction(command, noWork);
  expect(again).toEqual({
    kind: 'answer_not_kept',
    operationId: first.operationId,
    answer: { status: 201, contentType: 'application/json', location: '/things/1' },
    expiresAt: first.kind === 'completed' && first.expiresAt,
  });
  expect(await database.effects(command.key)).toBe(1);
  expect(await database.records(command.key)).toMatchObject([{ state: 'completed', response_body: null }]);
});

test('a key whose answer was not kept is still no key for another command', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const body = Buffer.alloc(STORED_BODY_BYTES_MAX + 1);
  await idempotency.runInTransaction(command, oneEffect(command, created({ body })));
  expect((await idempotency.runInTransaction({ ...command, fields: 'changed' }, noWork)).kind).toBe(
    'key_reused',
  );
});

test('the table holds no longer body, whoever writes it', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  await idempotency.runInTransaction(command, oneEffect(command));
  const write = (bytes: number) =>
    database.sql(`update idempotency_records set response_body = $2 where key = $1`, [
      command.key,
      Buffer.alloc(bytes),
    ]);
  await write(STORED_BODY_BYTES_MAX);
  await expect(write(STORED_BODY_BYTES_MAX + 1)).rejects.toMatchObject({ code: '23514' });
});
