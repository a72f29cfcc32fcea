import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newCommand, noWork, oneEffect } from './one-command.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();

test('a role that may only read and write the rows of the table is enough', async () => {
  const role = `app_${randomUUID().replaceAll('-', '')}`;
  await database.sql(`
    create role ${role} login;
    revoke create on schema public from public;
    grant select, insert, update, delete on idempotency_records to ${role};
    grant insert on effects to ${role}`);
  const url = new URL(database.url);
  url.username = role;
  const { idempotency, sweeper, dataSource } = await database.connectApp({ url: url.href });
  try {
    const command = newCommand();
    expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
    expect((await idempotency.runInTransaction(command, noWork)).kind).toBe('replayed');
    await database.expire(command.key);
    expect((await idempotency.runInTransaction(command, oneEffect(command))).kind).toBe('completed');
    await database.expire(command.key);
    expect(await sweeper.sweep()).toBe(1);
    await expect(dataSource.query('create table mine (id integer)')).rejects.toThrow(/permission denied/);
  } finally {
    await database.sql(`drop owned by ${role}; drop role ${role}`);
  }
});
