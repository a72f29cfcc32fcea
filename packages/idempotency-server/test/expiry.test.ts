import { afterEach, expect, test, vi } from 'vitest';
import { type KeyedCommand, operationIdOf, requestFingerprint } from '../src/command.js';
import { betweenStatements } from './between-statements.js';
import { heldEffect, newCommand, noWork, oneEffect } from './one-command.js';
import { recordEvents } from './recorded-events.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();
const events = recordEvents();

afterEach(() => {
  vi.useRealTimers();
});

test('a record is kept for its retention, counted from its completion', async () => {
  const { idempotency } = await database.connectApp({ retentionMs: 5_000 });
  const command = newCommand();
  const outcome = await idempotency.runInTransaction(command, oneEffect(command));
  const [kept] = await database.sql<{ ms: number; expires_at: Date }>(
    `select round(extract(epoch from expires_at - completed_at) * 1000)::int as ms, expires_at
       from idempotency_records where key = $1`,
    [command.key],
  );
  expect(kept?.ms).toBe(5_000);
  expect('expiresAt' in outcome && outcome.expiresAt).toEqual(kept?.expires_at);
});

test('after its retention a key is a new command, under a higher epoch', async () => {
  const { idempotency } = await database.connectApp({ retentionMs: 30 });
  const command = newCommand();
  await idempotency.runInTransaction(command, oneEffect(command));
  const changed = { ...command, fields: 'another command', operation: 'things.delete' };
  await untilExpired(command.key);

  expect((await idempotency.runInTransaction(changed, oneEffect(changed))).kind).toBe('completed');
  expect(await database.records(command.key)).toMatchObject([
    { epoch: 2, state: 'completed', operation: 'things.delete' },
  ]);
  expect(await database.effects(command.key)).toBe(2);
  expect(events.of(command.tenantId)).toEqual(['claimed', 'completed', 'expired_key_reused', 'completed']);
});

test('an expired key whose new work is rolled back stays as it was', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  await idempotency.runInTransaction(command, oneEffect(command));
  await database.expire(command.key);
  const before = await database.records(command.key);
  await expect(idempotency.runInTransaction(command, noWork)).rejects.toThrow();
  expect(await database.records(command.key)).toEqual(before);
});

test.each(['1999-01-01', '2999-01-01'])('a clock of the app that shows %s plays no part', async (date) => {
  const { idempotency } = await database.connectApp({ retentionMs: 60_000 });
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(date) });
  const command = newCommand();
  await idempotency.runInTransaction(command, oneEffect(command));
  expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('replayed');
  await database.expire(command.key);
  expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
});

test('a record in progress does not expire, however old it is', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  await addOldRecordInProgress(command);
  expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('in_progress');
  expect((await idempotency.runInTransaction({ ...command, fields: 'changed' }, noWork)).kind).toBe(
    'key_reused',
  );
});

/** What an app sends for a new command, one statement after the other. */
const [LOCK, READ_AFTER_CLAIM] = [2, 4];

test('a record that is completed between the first look and the lock is replayed', async () => {
  const other = await database.connectApp();
  const { idempotency, dataSource } = await database.connectApp();
  const command = newCommand();
  let next = 0;
  betweenStatements(dataSource, async () => {
    if (next++ === LOCK) await other.idempotency.runInTransaction(command, oneEffect(command));
  });
  expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('replayed');
  expect(await database.effects(command.key)).toBe(1);
});

test('a record in progress that appears between the first look and the lock is not claimed', async () => {
  const { idempotency, dataSource } = await database.connectApp();
  const command = newCommand();
  let next = 0;
  betweenStatements(dataSource, async () => {
    if (next++ === LOCK) await addOldRecordInProgress(command);
  });
  expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('in_progress');
});

test('a record that expires between claim and read, while others sweep, lets one attempt through', async () => {
  const other = await database.connectApp({ retentionMs: 500 });
  const { idempotency, dataSource } = await database.connectApp();
  const command = newCommand();
  let next = 0;
  betweenStatements(dataSource, async () => {
    const statement = next++;
    // The record appears after the first look, and holds the key at the claim.
    if (statement === LOCK) await other.idempotency.runInTransaction(command, oneEffect(command));
    if (statement === READ_AFTER_CLAIM) {
      await untilExpired(command.key);
      await other.sweeper.sweep();
      expect(await database.records(command.key)).toHaveLength(1);
    }
  });
  const held = heldEffect(command);
  const attempt = idempotency.runInTransaction(command, held.work);
  await held.isHeld;
  expect((await other.idempotency.runInTransaction(command, noWork)).kind).toBe('in_progress');
  held.letGo();

  expect((await attempt).kind).toBe('completed');
  expect(next).toBeGreaterThan(READ_AFTER_CLAIM);
  expect(await database.records(command.key)).toMatchObject([{ epoch: 2 }]);
  // One before it expired, one after.
  expect(await database.effects(command.key)).toBe(2);
});

/** A record that is committed and unfinished, from an age ago. */
async function addOldRecordInProgress(command: KeyedCommand): Promise<void> {
  const { tenantId, key, operation } = command;
  await database.sql(
    `insert into idempotency_records (tenant_id, key, operation, operation_id, fingerprint, lease_expires_at, created_at)
     values ($1, $2, $3, $4, $5, '1999-01-01', '1999-01-01')`,
    [tenantId, key, operation, operationIdOf(tenantId, key), requestFingerprint(command)],
  );
}

function untilExpired(key: string): Promise<unknown> {
  return database.untilSome(
    `select 1 from idempotency_records where key = '${key}' and expires_at <= clock_timestamp()`,
  );
}
