import { beforeAll, expect, test } from 'vitest';
import type { Work } from '../src/idempotency.service.js';
import { newCommand, oneEffect } from './one-command.js';
import { recordEvents } from './recorded-events.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();
const events = recordEvents();

beforeAll(() =>
  database.sql(`
    create table rows_to_lock (id integer primary key);
    insert into rows_to_lock values (1), (2);
    create function fail_with(code text) returns void language plpgsql as
      $$ begin raise exception 'failed on purpose' using errcode = code; end $$;
    create function conflict_in_commit() returns trigger language plpgsql as
      $$ begin raise exception 'failed on purpose' using errcode = '40001'; end $$;
    create table conflicts (id integer);
    create constraint trigger conflict_in_commit after insert on conflicts
      deferrable initially deferred for each row execute function conflict_in_commit()`),
);

test('a deadlock is resolved by running one of the two again, whole', async () => {
  const { idempotency } = database.app;
  const commands = [newCommand(), newCommand()];
  let runs = 0;
  let arrived = 0;
  let bothHaveOne = (): void => undefined;
  const whenBothHaveOne = new Promise<void>((resolve) => {
    bothHaveOne = resolve;
  });
  const outcomes = await Promise.all(
    commands.map((command, index) =>
      idempotency.runInTransaction(command, async (manager, operation) => {
        runs += 1;
        const lock = (id: number) => manager.query('select from rows_to_lock where id = $1 for update', [id]);
        const answer = await oneEffect(command)(manager, operation);
        await lock(index + 1);
        arrived += 1;
        if (arrived === 2) bothHaveOne();
        await whenBothHaveOne;
        await lock(2 - index);
        return answer;
      }),
    ),
  );

  expect(outcomes.map(({ kind }) => kind)).toEqual(['completed', 'completed']);
  expect(runs).toBe(3);
  for (const { key } of commands) expect(await database.effects(key)).toBe(1);
  expect(commands.map(({ tenantId }) => events.of(tenantId).join()).sort()).toEqual([
    'claimed,completed',
    'claimed,released,claimed,completed',
  ]);
});

test.each(['40001', '40P01'])(
  'work that ends in %s is run again, and no oftener than allowed',
  async (code) => {
    const { idempotency } = await database.connectApp({ runsMax: 3 });
    for (const [conflicts, runsExpected] of [
      [2, 3],
      [99, 3],
    ] as const) {
      const command = newCommand();
      let runs = 0;
      const work: Work = async (manager, operation) => {
        runs += 1;
        const answer = await oneEffect(command)(manager, operation);
        if (runs <= conflicts) await manager.query('select fail_with($1)', [code]);
        return answer;
      };
      const attempt = idempotency.runInTransaction(command, work);
      if (conflicts < runsExpected) expect((await attempt).kind).toBe('completed');
      else await expect(attempt).rejects.toMatchObject({ driverError: { code } });
      expect(runs).toBe(runsExpected);
      expect(await database.effects(command.key)).toBe(conflicts < runsExpected ? 1 : 0);
    }
  },
);

test('a conflict that shows only at COMMIT is run again too', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  let runs = 0;
  const outcome = await idempotency.runInTransaction(command, async (manager, operation) => {
    runs += 1;
    if (runs === 1) await manager.query('insert into conflicts values (1)');
    return oneEffect(command)(manager, operation);
  });
  expect(outcome.kind).toBe('completed');
  expect(runs).toBe(2);
  expect(await database.effects(command.key)).toBe(1);
});

test('no other error is run again', async () => {
  const { idempotency } = database.app;
  for (const code of ['23505', '55P03', '57014', '40003', 'P0001']) {
    const command = newCommand();
    let runs = 0;
    const attempt = idempotency.runInTransaction(command, async (manager, operation) => {
      runs += 1;
      await manager.query('select fail_with($1)', [code]);
      return oneEffect(command)(manager, operation);
    });
    await expect(attempt).rejects.toMatchObject({ driverError: { code } });
    expect(runs).toBe(1);
  }
});
