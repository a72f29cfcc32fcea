import { expect, test } from 'vitest';
import { created, newCommand, newGate, noWork } from './one-command.js';
import { PhasedCommand } from './phased-command.js';
import { recordEvents } from './recorded-events.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();
const events = recordEvents();

test('begins, asks and settles once, and replays the stored answer from then on', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const phases = new PhasedCommand(command.key);

  const first = await idempotency.runInPhases(command, phases);
  const again = await idempotency.runInPhases(command, phases);

  expect(first).toMatchObject({ kind: 'completed', answer: created() });
  expect(again).toMatchObject({ kind: 'replayed', answer: created() });
  expect(phases.asked).toBe(1);
  expect(await phases.effects(database)).toEqual([1, 1]);
  expect(events.of(command.tenantId)).toEqual(['claimed', 'completed', 'replayed']);
});

test('has no transaction open, and the first phase committed, while it asks', async () => {
  const { idempotency } = await database.connectApp();
  const command = newCommand();
  const seen: unknown[] = [];
  const phases = new PhasedCommand(command.key, async () => {
    seen.push(
      await database.sql(
        `select 1 from pg_stat_activity where datname = current_database()
            and application_name = 'app' and xact_start is not null`,
      ),
      await phases.effects(database),
    );
    return 'yes';
  });

  await idempotency.runInPhases(command, phases);
  expect(seen).toEqual([[], [1, 0]]);
});

test('while the owner asks, the same command is in progress and a changed one is a reused key at once', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const [asking, gate] = [newGate(), newGate()];
  const phases = new PhasedCommand(command.key, async () => {
    asking.open();
    await gate.opened;
    return 'yes';
  });
  const first = idempotency.runInPhases(command, phases);
  await asking.opened;

  expect((await idempotency.runInPhases(command, phases)).kind).toBe('in_progress');
  expect((await idempotency.runInPhases({ ...command, fields: 'changed' }, phases)).kind).toBe('key_reused');
  gate.open();
  expect((await first).kind).toBe('completed');
  expect(phases.asked).toBe(1);
});

test('what nobody can tell yet is unfinished, and the same key asks again without beginning again', async () => {
  const { idempotency, sweeper } = database.app;
  const command = newCommand();
  const phases = new PhasedCommand(command.key, (before) => (before < 2 ? undefined : 'yes'));

  const kinds = [];
  for (let attempt = 0; attempt < 4; attempt++) {
    kinds.push((await idempotency.runInPhases(command, phases)).kind);
    await sweeper.sweep();
  }
  expect(kinds).toEqual(['unfinished', 'unfinished', 'completed', 'replayed']);
  expect(await phases.effects(database)).toEqual([1, 1]);
  expect(events.of(command.tenantId)).toEqual([
    'claimed',
    'unfinished',
    'taken_over',
    'unfinished',
    'taken_over',
    'completed',
    'replayed',
  ]);
});

test('an answer of the first phase is stored, and nobody outside is asked', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const phases = new PhasedCommand(command.key);
  phases.begin = async () => created({ status: 402 });

  expect((await idempotency.runInPhases(command, phases)).kind).toBe('completed');
  expect(await idempotency.runInPhases(command, phases)).toMatchObject({
    kind: 'replayed',
    answer: { status: 402 },
  });
  expect(phases.asked).toBe(0);
});

test('a first phase that throws leaves nothing, and the key unused', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const phases = new PhasedCommand(command.key);
  const { begin } = phases;
  phases.begin = async (manager, operation) => {
    await begin(manager, operation);
    throw new Error('no');
  };

  await expect(idempotency.runInPhases(command, phases)).rejects.toThrow('no');
  expect(await database.records(command.key)).toEqual([]);
  expect(await phases.effects(database)).toEqual([0, 0]);
  phases.begin = begin;
  expect((await idempotency.runInPhases(command, phases)).kind).toBe('completed');
});

for (const phase of ['ask', 'settle'] as const) {
  test(`when "${phase}" throws the command stays unfinished, and the same key goes on with it`, async () => {
    const { idempotency } = database.app;
    const command = newCommand();
    const phases = new PhasedCommand(command.key);
    const works = phases[phase];
    Object.assign(phases, { [phase]: () => Promise.reject(new Error('no')) });

    await expect(idempotency.runInPhases(command, phases)).rejects.toThrow('no');
    expect(await phases.effects(database)).toEqual([1, 0]);
    Object.assign(phases, { [phase]: works });
    expect((await idempotency.runInPhases(command, phases)).kind).toBe('completed');
    expect(await phases.effects(database)).toEqual([1, 1]);
    expect(events.of(command.tenantId)).toEqual(['claimed', 'unfinished', 'taken_over', 'completed']);
  });
}

test('a settled answer of 500 or above is refused, because it is not final', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const phases = new PhasedCommand(command.key);
  phases.settle = async () => created({ status: 500 });
  await expect(idempotency.runInPhases(command, phases)).rejects.toThrow(/final/);
  expect(await database.records(command.key)).toMatchObject([{ state: 'in_progress' }]);
});

test('one transaction does not go on with what was begun in phases', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const phases = new PhasedCommand(command.key, () => undefined);
  await idempotency.runInPhases(command, phases);
  expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('in_progress');
  expect(await database.records(command.key)).toMatchObject([{ epoch: 1 }]);
});
