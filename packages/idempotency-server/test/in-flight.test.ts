import { expect, test } from 'vitest';
import { heldEffect, newCommand, noWork, oneEffect } from './one-command.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();

test('a duplicate is answered at once, while the owner is still at work', async () => {
  const owner = await database.connectApp();
  const other = await database.connectApp();
  const command = newCommand();
  const held = heldEffect(command);
  const first = owner.idempotency.runInTransaction(command, held.work);
  await held.isHeld;

  for (const { idempotency } of [owner, other])
    expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('in_progress');

  held.letGo();
  expect((await first).kind).toBe('completed');
  expect((await other.idempotency.runInTransaction(command, noWork)).kind).toBe('replayed');
  expect(await database.effects(command.key)).toBe(1);
});

test('a changed command that overlaps its owner is in progress first, and a reused key afterwards', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const changed = { ...command, fields: 'changed' };
  const held = heldEffect(command);
  const first = idempotency.runInTransaction(command, held.work);
  await held.isHeld;

  expect((await idempotency.runInTransaction(changed, noWork)).kind).toBe('in_progress');
  held.letGo();
  await first;
  expect((await idempotency.runInTransaction(changed, noWork)).kind).toBe('key_reused');
});

test('of 50 equal attempts at once over two apps, one does the work', async () => {
  const apps = [await database.connectApp(), await database.connectApp()];
  for (let round = 0; round < 5; round++) {
    const command = newCommand();
    const attempts = Array.from({ length: 50 }, (_, index) =>
      apps[index % 2]?.idempotency.runInTransaction(command, oneEffect(command)),
    );
    const kinds = (await Promise.all(attempts)).map((outcome) => outcome?.kind);

    expect(kinds.filter((kind) => kind === 'completed')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'in_progress' || kind === 'replayed')).toHaveLength(49);
    expect(await database.effects(command.key)).toBe(1);
    expect(await database.records(command.key)).toHaveLength(1);
  }
});

test('while one owner is slow, 100 duplicates wait for nobody and leave the pool of 10 to others', async () => {
  const { idempotency, dataSource } = await database.connectApp({ poolSize: 10 });
  const command = newCommand();
  const held = heldEffect(command);
  const first = idempotency.runInTransaction(command, held.work);
  await held.isHeld;

  const duplicates = Promise.all(
    Array.from({ length: 100 }, () => idempotency.runInTransaction(command, noWork)),
  );
  const other = newCommand();
  const unrelated = Promise.all([
    idempotency.runInTransaction(other, oneEffect(other)),
    dataSource.query('select 1'),
  ]);
  const waiting = await waitingBackendsUntil(Promise.all([duplicates, unrelated]));

  expect(waiting).toEqual([]);
  expect(new Set((await duplicates).map(({ kind }) => kind))).toEqual(new Set(['in_progress']));
  expect((await unrelated)[0].kind).toBe('completed');
  held.letGo();
  await first;
});

/** Looks again and again, until `end`, which of the app's connections wait for a lock. */
async function waitingBackendsUntil(end: Promise<unknown>): Promise<unknown[]> {
  let isOver = false;
  void end.finally(() => {
    isOver = true;
  });
  const seen: unknown[] = [];
  while (!isOver) {
    seen.push(
      ...(await database.sql(
        `select query from pg_stat_activity
          where datname = current_database() and application_name = 'app' and wait_event_type = 'Lock'`,
      )),
    );
  }
  return seen;
}
