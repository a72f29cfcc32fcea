import { beforeEach, expect, test } from 'vitest';
import { newCommand, oneEffect } from './one-command.js';
import { recordEvents } from './recorded-events.js';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();
const events = recordEvents();

beforeEach(() => database.sql('delete from idempotency_records'));

/** Records under keys that start with `name`; their retention ended an hour ago, or is still to end. */
async function addRecords(
  name: string,
  count: number,
  retention: '-1 hour' | '1 hour' | null,
): Promise<void> {
  await database.sql(
    `insert into idempotency_records (tenant_id, key, operation, operation_id, fingerprint, state, created_at,
            lease_expires_at, completed_at, expires_at, response_status, response_content_type, response_body)
     select 'tenant', $1 || n, 'things.create', gen_random_uuid(), sha256(''), coalesce(final.state, 'in_progress'),
            '1999-01-01', case when final.state is null then clock_timestamp() end, final.at, final.at + $3::interval, final.status, final.type, final.body
       from generate_series(1, $2) as n
       left join (values ('completed', clock_timestamp(), 201::smallint, 'text/plain', ''::bytea))
              as final (state, at, status, type, body) on $3::text is not null`,
    [name, count, retention],
  );
}

async function keysLeft(): Promise<string[]> {
  const rows = await database.sql<{ key: string }>('select key from idempotency_records order by key');
  return rows.map(({ key }) => key);
}

test('a sweep deletes what is finished and expired, and nothing else', async () => {
  const { sweeper } = database.app;
  await addRecords('expired-', 3, '-1 hour');
  await addRecords('kept-', 2, '1 hour');
  await addRecords('in-progress-', 2, null);
  expect(await sweeper.sweep()).toBe(3);
  expect(await keysLeft()).toEqual(['in-progress-1', 'in-progress-2', 'kept-1', 'kept-2']);
  expect(await sweeper.sweep()).toBe(0);
});

test('a sweep deletes batch by batch', async () => {
  const { sweeper } = await database.connectApp({ sweepBatchMax: 7 });
  await addRecords('expired-', 20, '-1 hour');
  const before = events.all.length;
  expect(await sweeper.sweep()).toBe(20);
  expect(events.all.slice(before)).toEqual([7, 7, 6].map((count) => ({ event: 'swept', count })));
});

test('a sweep that is told to stop ends after its batch', async () => {
  const { sweeper } = await database.connectApp({ sweepBatchMax: 7 });
  await addRecords('expired-', 20, '-1 hour');
  expect(await sweeper.sweep(AbortSignal.abort())).toBe(7);
  expect(await keysLeft()).toHaveLength(13);
});

test('a batch is never larger than allowed, whatever plan Postgres chooses', async () => {
  const { sweeper } = await database.connectApp({ sweepBatchMax: 5 });
  await addRecords('expired-', 50, '-1 hour');
  // Plans that would choose the batch anew for each row, were it a subquery.
  for (const setting of [
    'enable_hashjoin',
    'enable_mergejoin',
    'enable_hashagg',
    'enable_material',
    'enable_sort',
  ])
    await database.sql(`alter database ${database.name} set ${setting} = off`);
  const before = events.all.length;
  const unhurried = await database.connectApp({ sweepBatchMax: 5 });
  expect(await unhurried.sweeper.sweep()).toBe(50);
  expect(Math.max(...events.all.slice(before).map(({ count = 0 }) => count))).toBe(5);
  expect(await sweeper.sweep()).toBe(0);
});

test('a record that someone works on is left for the next sweep, and not waited for', async () => {
  const { sweeper } = database.app;
  await addRecords('expired-', 3, '-1 hour');
  const row = await database.hold(`select from idempotency_records where key = 'expired-2' for update`);
  expect(await sweeper.sweep()).toBe(2);
  expect(await keysLeft()).toEqual(['expired-2']);
  await row.letGo();
  expect(await sweeper.sweep()).toBe(1);
});

test('an expired key that is being claimed again is not swept away under its owner', async () => {
  const { idempotency, sweeper } = database.app;
  const command = newCommand();
  await idempotency.runInTransaction(command, oneEffect(command));
  await database.expire(command.key);
  const outcome = await idempotency.runInTransaction(command, async (manager, operation) => {
    expect(await sweeper.sweep()).toBe(0);
    return oneEffect(command)(manager, operation);
  });
  expect(outcome.kind).toBe('completed');
  expect(await database.records(command.key)).toMatchObject([{ epoch: 2, state: 'completed' }]);
});

test('many sweepers at once delete each record once', async () => {
  const apps = await Promise.all([1, 2, 3].map(() => database.connectApp({ sweepBatchMax: 10 })));
  await addRecords('expired-', 500, '-1 hour');
  await addRecords('kept-', 5, '1 hour');
  const sweeps = apps.flatMap(({ sweeper }) => [sweeper.sweep(), sweeper.sweep(), sweeper.sweep()]);
  const counts = await Promise.all(sweeps);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(500);
  expect(await keysLeft()).toHaveLength(5);
});
