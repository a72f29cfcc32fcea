import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the network did and which mails it sent. Nothing is unique but the sequence: asked twice, it has done it twice,
 * and the record says so.
 */
export class Record1780000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table operations (
        sequence bigint generated always as identity primary key,
        reference uuid not null,
        kind text not null check (kind in ('authorisation', 'refund')),
        status text not null check (status in ('approved', 'declined')),
        amount_minor bigint not null check (amount_minor between 1 and 10000000000000),
        currency text not null,
        authorisation uuid,
        created_at timestamptz not null default clock_timestamp(),
        check ((kind = 'refund') = (authorisation is not null))
      );
      create index operations_of_reference on operations (reference);
      create index operations_of_authorisation on operations (authorisation);

      create table mails (
        sequence bigint generated always as identity primary key,
        id uuid not null,
        recipient text not null,
        subject text not null,
        text text not null,
        created_at timestamptz not null default clock_timestamp()
      );

      -- A card misbehaves once: the references for which it has.
      create table heard_references (reference uuid primary key)`);
    await queryRunner.query(`
      create or replace function refuse_change() returns trigger language plpgsql as $$
        begin
          raise exception 'the record is written once' using errcode = 'restrict_violation';
        end $$;
      create trigger operations_insert_only before update or delete or truncate on operations
        for each statement execute function refuse_change();
      create trigger mails_insert_only before update or delete or truncate on mails
        for each statement execute function refuse_change()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table heard_references, mails, operations;
      drop function refuse_change()`);
  }
}
