import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
// @ts-expect-error: a script of the workspace, which has no types
import { startTemporaryPostgres } from '../../../scripts/postgres.mjs';
import { IdempotencyRecords1780000000000 } from '../src/idempotency.migration.js';
import { IdempotencyModule } from '../src/idempotency.module.js';
import { IdempotencyService } from '../src/idempotency.service.js';
import { created, newCommand } from './one-command.js';
import { useTestDatabase } from './test-database.js';

/** Starts a Nest app on a database, as its own process would. */
async function startApp(url: string, options: object = {}): Promise<INestApplicationContext> {
  const connection = { type: 'postgres', url, installExtensions: false, ...options } as DataSourceOptions;
  class AppModule {}
  return NestFactory.createApplicationContext(
    {
      module: AppModule,
      imports: [TypeOrmModule.forRoot({ ...connection, retryAttempts: 0 }), IdempotencyModule.forRoot()],
    },
    { logger: false, abortOnError: false },
  );
}

describe('on a migrated database', () => {
  const database = useTestDatabase();

  beforeEach(async () => {
    await database.sql(`alter database ${database.name} reset all`);
    await database.sql('drop table if exists idempotency_records, others');
    const queryRunner = database.app.dataSource.createQueryRunner();
    await new IdempotencyRecords1780000000000().up(queryRunner);
    await queryRunner.release();
  });

  test('an app starts, and its service works', async () => {
    const app = await startApp(database.url);
    const outcome = await app.get(IdempotencyService).runInTransaction(newCommand(), async () => created());
    expect(outcome.kind).toBe('completed');
    await app.close();
  });

  test('an app starts when a commit waits for the local disk only', async () => {
    await database.sql(`alter database ${database.name} set synchronous_commit = local`);
    await (await startApp(database.url)).close();
  });

  test('an app does not start with synchronous_commit off', async () => {
    await database.sql(`alter database ${database.name} set synchronous_commit = off`);
    await expect(startApp(database.url)).rejects.toThrow('Unsafe database: synchronous_commit is off.');
  });

  test.each(['repeatable read', 'serializable'])(
    'an app does not start when %s is the isolation, of the database or of TypeORM',
    async (isolation) => {
      await expect(startApp(database.url, { isolationLevel: isolation.toUpperCase() })).rejects.toThrow(
        `Unsafe database: isolationLevel is ${isolation.toUpperCase()}.`,
      );
      await database.sql(
        `alter database ${database.name} set default_transaction_isolation = '${isolation}'`,
      );
      await expect(startApp(database.url)).rejects.toThrow(
        `Unsafe database: default_transaction_isolation is ${isolation}.`,
      );
    },
  );

  test('an app does not start without the table', async () => {
    await database.sql('drop table idempotency_records');
    await expect(startApp(database.url)).rejects.toThrow(/idempotency_records_owner is missing or invalid/);
  });

  test.each([
    ['none at all', ''],
    [
      'one that is not unique',
      'create index idempotency_records_owner on idempotency_records (tenant_id, key)',
    ],
    ['one without the tenant', 'create unique index idempotency_records_owner on idempotency_records (key)'],
    [
      'one for some rows only',
      `create unique index idempotency_records_owner on idempotency_records (tenant_id, key)
         where state = 'completed'`,
    ],
    [
      'one that is checked only at COMMIT',
      `alter table idempotency_records add constraint idempotency_records_owner
         unique (tenant_id, key) deferrable initially deferred`,
    ],
    [
      'one on another table',
      `create table others (tenant_id text, key text);
       create unique index idempotency_records_owner on others (tenant_id, key)`,
    ],
  ])('an app does not start with a wrong unique index: %s', async (_, sql) => {
    await database.sql(`alter table idempotency_records drop constraint idempotency_records_owner; ${sql}`);
    await expect(startApp(database.url)).rejects.toThrow(/idempotency_records_owner is missing or invalid/);
  });

  test('an app does not start with a unique index that was never finished', async () => {
    await database.sql(
      `alter table idempotency_records drop constraint idempotency_records_owner;
       insert into idempotency_records (tenant_id, key, operation, operation_id, fingerprint, lease_expires_at)
         select 'tenant', 'key', 'twice', gen_random_uuid(), sha256(''), clock_timestamp() from generate_series(1, 2)`,
    );
    const build = database.sql(
      'create unique index concurrently idempotency_records_owner on idempotency_records (tenant_id, key)',
    );
    await expect(build).rejects.toMatchObject({ code: '23505' });
    await database.sql('delete from idempotency_records');
    await expect(startApp(database.url)).rejects.toThrow(/idempotency_records_owner is missing or invalid/);
  });
});

describe('on a server of its own', () => {
  let server: Awaited<ReturnType<typeof startTemporaryPostgres>>;
  let owner: DataSource;
  let url: string;
  beforeAll(async () => {
    server = await startTemporaryPostgres();
    url = server.url('postgres', 'postgres');
    owner = await new DataSource({ type: 'postgres', url, installExtensions: false }).initialize();
  });
  afterAll(async () => {
    await owner.destroy();
    await server.stop();
  });

  test.each(['fsync', 'full_page_writes'])('an app does not start with %s off', async (setting) => {
    await owner.query(`alter system set ${setting} = off`);
    await owner.query('select pg_reload_conf()');
    await expect(startApp(url)).rejects.toThrow(`${setting} is off`);
    await owner.query(`alter system reset ${setting}`);
    await owner.query('select pg_reload_conf()');
  });
});
