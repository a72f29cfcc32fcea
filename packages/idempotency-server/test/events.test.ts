import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, onTestFinished, test } from 'vitest';
import { IDEMPOTENCY_CHANNEL, observeIdempotency } from '../src/idempotency-events.js';
import { betweenStatements } from './between-statements.js';
import { created, heldEffect, newCommand, noWork, oneEffect } from './one-command.js';
import { recordEvents } from './recorded-events.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();
const events = recordEvents();

test('a new command is claimed while its work runs, and completed once it is committed', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const held = heldEffect(command);
  const first = idempotency.runInTransaction(command, held.work);
  await held.isHeld;
  expect(events.of(command.tenantId)).toEqual(['claimed']);

  let visibleThen: Promise<number> | undefined;
  const stop = observeIdempotency(({ event, tenantId }) => {
    if (tenantId === command.tenantId && event === 'completed') visibleThen = database.effects(command.key);
  });
  onTestFinished(stop);
  held.letGo();
  await first;
  expect(events.of(command.tenantId)).toEqual(['claimed', 'completed']);
  expect(await visibleThen).toBe(1);
});

test('a replay, a hit on a running attempt and another command are one event each', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const held = heldEffect(command);
  const first = idempotency.runInTransaction(command, held.work);
  await held.isHeld;
  await idempotency.runInTransaction(command, noWork);
  held.letGo();
  await first;
  await idempotency.runInTransaction(command, noWork);
  await idempotency.runInTransaction({ ...command, fields: 'changed' }, noWork);
  expect(events.of(command.tenantId)).toEqual([
    'claimed',
    'in_progress_hit',
    'completed',
    'replayed',
    'fingerprint_mismatch',
  ]);
});

test.each([
  ['answers 503', async () => created({ status: 503 })],
  ['throws', noWork],
])('work that %s is claimed, and released once it is rolled back', async (_, work) => {
  const { idempotency, dataSource } = await database.connectApp();
  const command = newCommand();
  const order: string[] = [];
  onTestFinished(observeIdempotency(({ event }) => void order.push(event)));
  betweenStatements(dataSource, async (sql) => {
    if (sql === 'ROLLBACK') order.push(sql);
  });
  await idempotency.runInTransaction(command, work).catch(() => undefined);
  expect(order).toEqual(['claimed', 'ROLLBACK', 'released']);
});

test('an attempt that never reached its record is no event', async () => {
  const { idempotency, dataSource } = await database.connectApp();
  await dataSource.destroy();
  const command = newCommand();
  await expect(idempotency.runInTransaction(command, noWork)).rejects.toThrow();
  await dataSource.initialize();
  expect(events.of(command.tenantId)).toEqual([]);
});

test('an event names its operation, and never a key or anything of a body', async () => {
  const { idempotency, sweeper } = database.app;
  const command = { ...newCommand({ secret: 'in the command' }), key: 'the-secret-key' };
  const { operationId } = await idempotency.runInTransaction(
    command,
    oneEffect(command, created({ body: Buffer.from('the secret answer'), location: '/secret' })),
  );
  await idempotency.runInTransaction(command, noWork);
  await database.expire(command.key);
  await sweeper.sweep();

  const { tenantId, operation } = command;
  const own = events.all.filter((event) => event.tenantId === tenantId);
  expect(own).toEqual(
    ['claimed', 'completed', 'replayed'].map((event) => ({ event, operation, operationId, tenantId })),
  );
  const names = new Set(events.all.flatMap((event) => Object.keys(event)));
  expect(names).toEqual(new Set(['event', 'operation', 'operationId', 'tenantId', 'count']));
  expect(JSON.stringify(events.all)).not.toMatch(/secret/);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('observer down');
    },
  ],
  ['rejects', () => Promise.reject(new Error('observer down'))],
])('an observer that %s changes no outcome, and becomes a warning', async (_, observer) => {
  const { idempotency } = database.app;
  const command = newCommand();
  const warnings = takeOver('warning');
  onTestFinished(observeIdempotency(observer));
  expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
  expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('replayed');
  await nextTurn();
  const detail = expect.stringContaining('observer down');
  expect(warnings).toEqual(
    ['claimed', 'completed', 'replayed'].map(() => expect.objectContaining({ detail })),
  );
});

test('an observer that has ended hears nothing more', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  let heard = 0;
  const stop = observeIdempotency(() => void heard++);
  stop();
  await idempotency.runInTransaction(command, oneEffect(command));
  expect(heard).toBe(0);
});

test('what a plain subscriber throws changes no outcome either, but reaches the process', async () => {
  const { idempotency } = database.app;
  const command = newCommand();
  const subscriber = (): void => {
    throw new Error('subscriber down');
  };
  const uncaught = takeOver('uncaughtException');
  subscribe(IDEMPOTENCY_CHANNEL, subscriber);
  onTestFinished(() => void unsubscribe(IDEMPOTENCY_CHANNEL, subscriber));
  expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
  await nextTurn();
  expect(uncaught.map(({ message }) => message)).toEqual(['subscriber down', 'subscriber down']);
  expect(await database.effects(command.key)).toBe(1);
});

/** Collects what the process is told until the test ends. Nobody else hears it: the runner would fail the test. */
function takeOver(event: 'warning' | 'uncaughtException'): Error[] {
  const listeners = process.rawListeners(event) as ((error: Error) => void)[];
  const collected: Error[] = [];
  process.removeAllListeners(event);
  process.on(event, (error: Error) => collected.push(error));
  onTestFinished(() => {
    process.removeAllListeners(event);
    for (const listener of listeners) process.on(event, listener);
  });
  return collected;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
