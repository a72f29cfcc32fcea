import { expect, test } from 'vitest';
import type { Work } from '../src/idempotency.service.js';
import { created, newCommand, oneEffect } from './one-command.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();

const SHOW = `select pg_backend_pid() as pid, current_setting('lock_timeout') as lock,
  current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle`;

test('the timeouts hold inside the work, and the pooled connection has its own afterwards', async () => {
  const { idempotency, dataSource } = await database.connectApp({
    poolSize: 1,
    lockTimeoutMs: 1111,
    statementTimeoutMs: 2222,
    idleTimeoutMs: 3333,
  });
  const before = await dataSource.query(SHOW);
  let inside: unknown;
  const look: Work = async (manager) => {
    inside = await manager.query(SHOW);
    return created();
  };
  await idempotency.runInTransaction(newCommand(), look);
  expect(inside).toEqual([{ pid: before[0].pid, lock: '1111ms', statement: '2222ms', idle: '3333ms' }]);
  expect(await dataSource.query(SHOW)).toEqual(before);

  // A rollback puts them back as well.
  await idempotency.runInTransaction(newCommand(), async () => created({ status: 503 }));
  expect(await dataSource.query(SHOW)).toEqual(before);
});

test('work that meets a locked row gives up after the lock timeout, and the key is unused', async () => {
  const { idempotency } = await database.connectApp({ lockTimeoutMs: 50 });
  const command = newCommand();
  await database.sql('insert into effects (key) values ($1)', ['locked']);
  const row = await database.hold(`select from effects where key = 'locked' for update`);
  const attempt = idempotency.runInTransaction(command, async (manager, operation) => {
    const answer = await oneEffect(command)(manager, operation);
    await manager.query(`update effects set key = key where key = 'locked'`);
    return answer;
  });
  await expect(attempt).rejects.toMatchObject({ driverError: { code: '55P03' } });
  await row.letGo();
  expect(await database.effects(command.key)).toBe(0);
  expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
});

test('a statement that takes too long is ended, and the key is unused', async () => {
  const { idempotency } = await database.connectApp({ statementTimeoutMs: 50 });
  const command = newCommand();
  const attempt = idempotency.runInTransaction(command, async (manager) => {
    await manager.query('select pg_sleep(60)');
    return created();
  });
  await expect(attempt).rejects.toMatchObject({ driverError: { code: '57014' } });
  expect(await database.records(command.key)).toEqual([]);
});

test('an owner that falls silent is ended by Postgres, and another attempt takes its turn', async () => {
  const { idempotency } = await database.connectApp({ idleTimeoutMs: 50 });
  const other = await database.connectApp();
  const command = newCommand();
  const attempt = idempotency.runInTransaction(command, async (manager, operation) => {
    const answer = await oneEffect(command)(manager, operation);
    await database.allTransactionsEnded();
    const second = await other.idempotency.runInTransaction(command, oneEffect(command));
    expect(second.kind).toBe('completed');
    return answer;
  });
  await expect(attempt).rejects.toThrow();
  expect(await database.effects(command.key)).toBe(1);
});
