import { beforeAll, describe, expect, test } from 'vitest';
import type { KeyedCommand } from '../src/command.js';
import type { Work } from '../src/idempotency.service.js';
import { betweenStatements, type SendSql } from './between-statements.js';
import { created, newCommand, oneEffect } from './one-command.js';
import { type AppParts, useTestDatabase } from './test-database.js';

const database = useTestDatabase();
let app: AppParts;
/** What happens ahead of each statement of `app`. */
let beforeStatement: (sql: string, send: SendSql) => Promise<void> = async () => undefined;

beforeAll(async () => {
  app = await database.connectApp({ poolSize: 1 });
  betweenStatements(app.dataSource, (sql, send) => beforeStatement(sql, send));
  await database.sql(`
    create table parents (id integer primary key);
    create table children (id integer references parents deferrable initially deferred)`);
});

/** There is no row in any table, and the same key then does its work, once. */
async function expectUnused(command: KeyedCommand, { idempotency } = app): Promise<void> {
  expect(await database.effects(command.key)).toBe(0);
  expect(await database.records(command.key)).toEqual([]);
  expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
  expect(await database.effects(command.key)).toBe(1);
}

test.each([
  ['throws', () => Promise.reject(new Error('no seat'))],
  ['throws what is not an error', () => Promise.reject('no seat')],
  [
    'throws before it is asynchronous',
    () => {
      throw new Error('no seat');
    },
  ],
])('work that %s leaves nothing, and the key is unused', async (_, end) => {
  const command = newCommand();
  const work: Work = async (manager, operation) => {
    await oneEffect(command)(manager, operation);
    return end();
  };
  await expect(app.idempotency.runInTransaction(command, work)).rejects.toThrow(/no seat/);
  await expectUnused(command);
});

test.each([500, 503, 599])('an answer of %i is given once and leaves nothing', async (status) => {
  const command = newCommand();
  const answer = created({ status, body: Buffer.from('try again') });
  const outcome = await app.idempotency.runInTransaction(command, oneEffect(command, answer));
  expect(outcome).toMatchObject({ kind: 'released', answer });
  await expectUnused(command);
});

test.each([
  ['a status that is none', created({ status: 42 })],
  ['a content type that Postgres cannot hold', created({ contentType: 'a\0b' })],
])('an answer with %s is refused, and leaves nothing', async (_, answer) => {
  const command = newCommand();
  await expect(app.idempotency.runInTransaction(command, oneEffect(command, answer))).rejects.toThrow();
  await expectUnused(command);
});

describe('at every statement of the transaction', () => {
  const statements = ['look', 'start', 'lock', 'claim', 'work', 'complete', 'commit'];

  test('there are seven statements', async () => {
    const sent: string[] = [];
    beforeStatement = async (sql) => void sent.push(sql.trim().split(/\s/, 1)[0] ?? '');
    const command = newCommand();
    await app.idempotency.runInTransaction(command, oneEffect(command));
    expect(sent).toEqual(['select', 'START', 'select', 'insert', 'insert', 'update', 'COMMIT']);
  });

  test.each(statements)('an error at %s leaves nothing', async (name) => {
    const command = newCommand();
    failAt(name, 'select 1 / 0');
    await expect(app.idempotency.runInTransaction(command, oneEffect(command))).rejects.toThrow(
      /division by zero/,
    );
    await expectUnused(command);
  });

  test.each(statements)('a connection that is lost at %s leaves nothing', async (name) => {
    const command = newCommand();
    failAt(name, 'select pg_terminate_backend(pg_backend_pid())');
    await expect(app.idempotency.runInTransaction(command, oneEffect(command))).rejects.toThrow();
    await expectUnused(command, await database.connectApp());
  });

  /** Makes that statement fail, once, with what the database says to `sql`. */
  function failAt(name: string, sql: string): void {
    let at = 0;
    beforeStatement = async (_, send) => {
      if (statements[at++] === name) await send(sql);
    };
  }
});

test('a COMMIT that the database refuses leaves nothing', async () => {
  const command = newCommand();
  const work: Work = async (manager, operation) => {
    await manager.query('insert into children values (1)');
    return oneEffect(command)(manager, operation);
  };
  await expect(app.idempotency.runInTransaction(command, work)).rejects.toMatchObject({
    driverError: { code: '23503' },
  });
  await expectUnused(command);
});

test('work that swallows an error of the database cannot complete', async () => {
  const command = newCommand();
  const work: Work = async (manager, operation) => {
    const answer = await oneEffect(command)(manager, operation);
    await manager.query('select 1 / 0').catch(() => undefined);
    return answer;
  };
  await expect(app.idempotency.runInTransaction(command, work)).rejects.toThrow(/aborted/);
  await expectUnused(command);
});

test('work may roll back a nested transaction and go on', async () => {
  const command = newCommand();
  const work: Work = async (manager, operation) => {
    await manager
      .transaction(async (nested) => {
        await oneEffect(command)(nested, operation);
        throw new Error('not this way');
      })
      .catch(() => undefined);
    return oneEffect(command)(manager, operation);
  };
  expect((await app.idempotency.runInTransaction(command, work)).kind).toBe('completed');
  expect(await database.effects(command.key)).toBe(1);
});

test('work that leaves a nested transaction open is refused: nothing would have been committed', async () => {
  const command = newCommand();
  const work: Work = async (manager, operation) => {
    await manager.queryRunner?.startTransaction();
    return oneEffect(command)(manager, operation);
  };
  await expect(app.idempotency.runInTransaction(command, work)).rejects.toThrow(/nested transaction/);
  await expectUnused(command);
});

test('a connection that cannot roll back is not used again', async () => {
  const command = newCommand();
  beforeStatement = async (sql) => {
    if (sql === 'ROLLBACK') throw new Error('ROLLBACK is not sent');
  };
  const work: Work = async (manager, operation) => {
    await oneEffect(command)(manager, operation);
    throw new Error('no seat');
  };
  await expect(app.idempotency.runInTransaction(command, work)).rejects.toThrow(/no seat/);
  // On the same connection these would commit what must be rolled back.
  await app.dataSource.transaction(async (manager) => void (await manager.query('select 1')));
  await expectUnused(command);
});

test('an owner that was overtaken changes nothing', async () => {
  const command = newCommand();
  const work: Work = async (manager, operation) => {
    await manager.query('update idempotency_records set epoch = epoch + 1 where key = $1', [command.key]);
    return oneEffect(command)(manager, operation);
  };
  await expect(app.idempotency.runInTransaction(command, work)).rejects.toThrow(/no longer this attempt/);
  await expectUnused(command);
});
