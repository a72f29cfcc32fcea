import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { KeyedCommand } from '../src/command.js';
import { RecoveryError } from '../src/recovery-error.js';
import { newCommand, newGate } from './one-command.js';
import { PhasedCommand } from './phased-command.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();

test('an owner that wakes up after its lease changes nothing, and answers what was settled meanwhile', async () => {
  const paused = await database.connectApp();
  const command = newThing();
  const [asking, gate] = [newGate(), newGate()];
  const phases = new PhasedCommand(command.key, async (before) => {
    if (before > 0) return 'yes';
    asking.open();
    await gate.opened;
    return 'yes';
  });
  const first = paused.idempotency.runInPhases(command, phases);
  await asking.opened;
  await endLease(command);

  const second = await database.app.idempotency.runInPhases(command, phases);
  gate.open();
  expect(second.kind).toBe('completed');
  expect((await first).kind).toBe('replayed');
  expect(await phases.effects(database)).toEqual([1, 1]);
  expect(await database.records(command.key)).toMatchObject([{ epoch: 2, state: 'completed' }]);
});

test('an owner that wakes up while another is at it has no say any more', async () => {
  const paused = await database.connectApp();
  const command = newThing();
  const [asking, gate, askingAgain, gateAgain] = [newGate(), newGate(), newGate(), newGate()];
  const phases = new PhasedCommand(command.key, async (before) => {
    (before === 0 ? asking : askingAgain).open();
    await (before === 0 ? gate : gateAgain).opened;
    return 'yes';
  });
  const first = paused.idempotency.runInPhases(command, phases);
  await asking.opened;
  await endLease(command);
  const second = database.app.idempotency.runInPhases(command, phases);
  await askingAgain.opened;

  gate.open();
  expect((await first).kind).toBe('in_progress');
  expect(await phases.effects(database)).toEqual([1, 0]);
  gateAgain.open();
  expect((await second).kind).toBe('completed');
  expect(await phases.effects(database)).toEqual([1, 1]);
});

test.each<[string, () => undefined]>([
  ['finds nothing left to ask for', () => undefined],
  [
    'breaks',
    () => {
      throw new Error('What was to be asked for is settled.');
    },
  ],
])('an owner that wakes up after its lease and %s answers what was settled meanwhile', async (_how, wake) => {
  const paused = await database.connectApp();
  const command = newThing();
  const [asking, gate] = [newGate(), newGate()];
  const phases = new PhasedCommand(command.key, async (before) => {
    if (before > 0) return 'yes';
    asking.open();
    await gate.opened;
    return wake();
  });
  const first = paused.idempotency.runInPhases(command, phases);
  await asking.opened;
  await endLease(command);

  expect((await database.app.idempotency.runInPhases(command, phases)).kind).toBe('completed');
  gate.open();
  expect((await first).kind).toBe('replayed');
  expect(await phases.effects(database)).toEqual([1, 1]);
});

test('an ask is told when its lease is over', async () => {
  const { idempotency } = await database.connectApp({ leaseMs: 50 });
  const command = newThing();
  const phases = new PhasedCommand(command.key, async (_before, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return undefined;
  });
  expect((await idempotency.runInPhases(command, phases)).kind).toBe('unfinished');
});

test('of two recoveries and three retries at once, one goes on with an unfinished command', async () => {
  for (let round = 0; round < 5; round++) {
    const apps = [await database.connectApp(), await database.connectApp()];
    const command = newThing();
    const gate = newGate();
    const phases = new PhasedCommand(command.key, async (before) => {
      if (before === 0) return undefined;
      await gate.opened;
      return 'yes';
    });
    await database.app.idempotency.runInPhases(command, phases);
    await longAgo(command);

    const retries = [0, 1, 2].map(() => database.app.idempotency.runInPhases(command, phases));
    const recoveries = apps.map(({ idempotency }) => idempotency.recover({ [command.operation]: phases }));
    const all = [...retries.map(async (retry) => [await retry]), ...recoveries];
    // Four of the five are done before the one that asks.
    await new Promise<void>((resolve) => {
      let done = 0;
      for (const one of all) void one.then(() => ++done === 4 && resolve());
    });
    gate.open();
    const kinds = (await Promise.all(all)).flat().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'completed')).toHaveLength(1);
    expect(phases.asked).toBe(2);
    expect(await phases.effects(database)).toEqual([1, 1]);
  }
});

test('recovery settles what its owner left, with no request at hand', async () => {
  const command = newThing();
  const phases = new PhasedCommand(command.key, (before) => (before === 0 ? undefined : 'yes'));
  await database.app.idempotency.runInPhases(command, phases);
  await longAgo(command);

  const outcomes = await database.app.idempotency.recover({ [command.operation]: phases });
  expect(outcomes.map(({ kind }) => kind)).toEqual(['completed']);
  expect((await database.app.idempotency.runInPhases(command, phases)).kind).toBe('replayed');
});

test('recovery leaves operations alone that it was not told of', async () => {
  const command = newThing();
  const phases = new PhasedCommand(command.key, () => undefined);
  await database.app.idempotency.runInPhases(command, phases);
  await longAgo(command);
  expect(await database.app.idempotency.recover({ 'things.create': phases })).toEqual([]);
});

test('recovery asks soon at first, and ever more seldom', async () => {
  const { idempotency } = database.app;
  const command = newThing();
  const phases = new PhasedCommand(command.key, () => undefined);
  await idempotency.runInPhases(command, phases);
  const set = (begunAgo: string, silentFor: string) =>
    database.sql(
      `update idempotency_records set created_at = clock_timestamp() - $2::interval,
              lease_expires_at = clock_timestamp() - $3::interval where key = $1`,
      [command.key, begunAgo, silentFor],
    );
  const isAsked = async () => (await idempotency.recover({ [command.operation]: phases })).length === 1;

  await set('3 seconds', '1 second');
  expect(await isAsked()).toBe(true);
  await set('30 seconds', '1 second');
  expect(await isAsked()).toBe(false);
  await set('24 hours', '59 seconds');
  expect(await isAsked()).toBe(false);
  await set('24 hours', '61 seconds');
  expect(await isAsked()).toBe(true);
});

test('a command that cannot be gone on with stops no other, and is named with its reason', async () => {
  const good = newThing();
  const bad = { ...newThing(), operation: good.operation };
  const phases = new PhasedCommand(good.key, () => undefined);
  const asked: string[] = [];
  for (const command of [bad, good]) {
    await database.app.idempotency.runInPhases(command, phases);
    await longAgo(command);
  }
  const [{ operation_id: badId } = { operation_id: '' }] = await database.records(bad.key);
  const recovery = database.app.idempotency.recover({
    [good.operation]: {
      ask: async ({ operationId }) => {
        asked.push(operationId);
        if (operationId === badId) throw new Error('no');
        return 'yes';
      },
      settle: phases.settle,
    },
  });
  const error: unknown = await recovery.catch((thrown: unknown) => thrown);
  if (!(error instanceof RecoveryError)) throw error;
  expect(error.errors).toMatchObject([{ operationId: badId, cause: { message: 'no' } }]);
  expect(error.outcomes).toMatchObject([{ kind: 'completed' }]);
  expect(asked).toHaveLength(2);
  expect(await database.records(good.key)).toMatchObject([{ state: 'completed' }]);
  expect(await database.records(bad.key)).toMatchObject([{ state: 'in_progress' }]);
});

/** A command of an operation that no other test recovers. */
function newThing(): KeyedCommand {
  return { ...newCommand(), operation: `things.${randomUUID()}` };
}

/** As if the owner had been silent for longer than its lease. */
async function endLease({ key }: KeyedCommand): Promise<void> {
  await database.sql(`update idempotency_records set lease_expires_at = clock_timestamp() where key = $1`, [
    key,
  ]);
}

/** As if all of it had been an hour ago. */
async function longAgo({ key }: KeyedCommand): Promise<void> {
  await database.sql(
    `update idempotency_records set created_at = created_at - interval '1 hour',
            lease_expires_at = lease_expires_at - interval '1 hour' where key = $1`,
    [key],
  );
}
