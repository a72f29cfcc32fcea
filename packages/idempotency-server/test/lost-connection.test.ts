import { afterEach, expect, test } from 'vitest';
import type { KeyedCommand } from '../src/command.js';
import { CommitUnknownError } from '../src/transaction.js';
import { BreakingWire } from './breaking-wire.js';
import { heldEffect, newCommand, noWork, oneEffect } from './one-command.js';
import { recordEvents } from './recorded-events.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();
const events = recordEvents();
const wires: BreakingWire[] = [];

afterEach(async () => {
  await Promise.all(wires.splice(0).map((wire) => wire.close()));
});

async function connectOver(breaksAt: 'commit' | 'answer to commit') {
  const wire = await BreakingWire.to(database.url, breaksAt);
  wires.push(wire);
  return database.connectApp({ url: wire.url });
}

/** Counts the runs of the work, whatever becomes of them. */
function countedEffect(command: KeyedCommand) {
  const counted = { runs: 0, work: oneEffect(command) };
  const { work } = counted;
  counted.work = (manager, operation) => {
    counted.runs += 1;
    return work(manager, operation);
  };
  return counted;
}

test('a connection that ends during the work: nothing is left, and nothing runs by itself', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const held = heldEffect(command);
  const first = idempotency.runInTransaction(command, held.work);
  await held.isHeld;
  await database.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`,
  );
  held.letGo();

  await expect(first).rejects.toThrow();
  expect(events.of(command.tenantId)).toEqual(['claimed', 'released']);
  expect(await database.effects(command.key)).toBe(0);
  expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
  expect(await database.effects(command.key)).toBe(1);
});

test('a lost answer to COMMIT is unknown, and the same key finds out that it was done', async () => {
  const { idempotency } = await connectOver('answer to commit');
  const command = newCommand();
  const counted = countedEffect(command);
  await expect(idempotency.runInTransaction(command, counted.work)).rejects.toThrow(CommitUnknownError);
  expect(counted.runs).toBe(1);
  expect(events.of(command.tenantId)).toEqual(['claimed', 'unknown']);

  const settled = await idempotency.runInTransaction(command, noWork);
  expect(settled.kind).toBe('replayed');
  expect(await database.effects(command.key)).toBe(1);
});

test('a lost COMMIT is unknown, and the same key finds out that it was not done', async () => {
  const { idempotency } = await connectOver('commit');
  const command = newCommand();
  const counted = countedEffect(command);
  await expect(idempotency.runInTransaction(command, counted.work)).rejects.toThrow(CommitUnknownError);
  expect(counted.runs).toBe(1);
  expect(events.of(command.tenantId)).toEqual(['claimed', 'unknown']);
  await database.allTransactionsEnded();
  expect(await database.effects(command.key)).toBe(0);

  expect((await idempotency.runInTransaction(command, counted.work)).kind).toBe('completed');
  expect(await database.effects(command.key)).toBe(1);
});

test('a backend that is ended in the middle of its COMMIT is unknown', async () => {
  // A deferred trigger runs within COMMIT; this one waits there for a lock that the test holds.
  await database.sql(`
    create function wait_in_commit() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(4711); return null; end';
    create table slow_effects (id integer);
    create constraint trigger wait_in_commit after insert on slow_effects
      deferrable initially deferred for each row execute function wait_in_commit()`);
  const { idempotency } = database.app;
  const command = newCommand();
  const keepLock = await database.hold('select pg_advisory_xact_lock(4711)');
  const first = idempotency.runInTransaction(command, async (manager, operation) => {
    await manager.query('insert into slow_effects values (1)');
    return oneEffect(command)(manager, operation);
  });
  const expectation = expect(first).rejects.toThrow(CommitUnknownError);
  const [backend] = await database.untilSome<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and query = 'COMMIT' and wait_event_type = 'Lock'`,
  );
  await database.sql('select pg_terminate_backend($1)', [backend?.pid]);
  await expectation;
  await keepLock.letGo();

  expect(events.of(command.tenantId)).toEqual(['claimed', 'unknown']);
  expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
  expect(await database.effects(command.key)).toBe(1);
});
