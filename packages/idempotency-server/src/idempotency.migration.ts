import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of the records. Run by the owner of the schema; the app itself needs no DDL. */
export class IdempotencyRecords1780000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The body is bytes: jsonb would reorder its members and refuse NUL, and a replay must be byte-identical.
    // A completed record without one had an answer too long to keep.
    await queryRunner.query(`
      create table idempotency_records (
        tenant_id text not null,
        key text not null check (length(key) between 1 and 255),
        operation text not null,
        operation_id uuid not null,
        fingerprint bytea not null check (length(fingerprint) = 32),
        state text not null default 'in_progress' check (state in ('in_progress', 'completed')),
        epoch integer not null default 1 check (epoch >= 1),
        -- How long the owner may be silent before another may take over. A finished record has no owner.
        lease_expires_at timestamptz,
        created_at timestamptz not null default clock_timestamp(),
        completed_at timestamptz,
        expires_at timestamptz,
        response_status smallint check (response_status between 200 and 499),
        response_content_type text,
        response_location text,
        response_body bytea check (length(response_body) <= 1048576),
        constraint idempotency_records_owner primary key (tenant_id, key),
        constraint idempotency_records_final check (
          (state = 'in_progress' and num_nonnulls(completed_at, expires_at, response_status,
             response_content_type, response_location, response_body) = 0)
          or (state = 'completed' and num_nulls(completed_at, expires_at, response_status,
             response_content_type) = 0)),
        constraint idempotency_records_lease check ((state = 'in_progress') = (lease_expires_at is not null))
      )`);
    await queryRunner.query(`
      create index idempotency_records_expiry on idempotency_records (expires_at) where state = 'completed';
      create index idempotency_records_unfinished on idempotency_records (lease_expires_at)
        where state = 'in_progress'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table idempotency_records');
  }
}
