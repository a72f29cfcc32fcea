import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What reaches systems that Postgres cannot roll back: cards, refunds, e-tickets by mail, messages. */
export class AcrossTheBoundary1780000002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table payments
        drop constraint payments_method_check,
        add constraint payments_method_check check (method in ('balance', 'card')),
        add column card text,
        add constraint payments_card check ((method = 'card') = (card is not null)),
        add column operation_id uuid,
        add constraint payments_in_phases check ((method = 'card') = (operation_id is not null)),
        -- Why a person has to look at it.
        add column review_reason text,
        add constraint payments_review check ((status = 'needs_review') = (review_reason is not null)),
        -- What refunds have taken or may yet take. The constraint holds however many of them run at once.
        add column refunded_minor bigint not null default 0,
        add constraint payments_refunded_once check (refunded_minor between 0 and amount_minor);
      alter table refunds
        add column operation_id uuid,
        add column review_reason text,
        add constraint refunds_review check ((status = 'needs_review') = (review_reason is not null));

      -- What crosses the boundary is found again by its operation, whoever goes on with it. A key that is used again
      -- after its retention names its operation as before, so only what is under way is unique.
      create unique index payments_of_operation on payments (operation_id) where status = 'processing';
      create unique index refunds_of_operation on refunds (operation_id) where status = 'processing';

      alter table tickets
        drop column concert_id,
        add constraint tickets_one_per_order unique (sandbox_id, order_id);
      drop index tickets_of_order;

      create table messages (
        id uuid primary key,
        sandbox_id uuid not null references sandboxes,
        name text not null,
        email text not null,
        text text not null,
        created_at timestamptz not null default clock_timestamp()
      );

      -- The inbox of the jobs: a delivery whose id is here has had its effect.
      create table processed_jobs (
        id uuid primary key,
        processed_at timestamptz not null default clock_timestamp()
      );

      create table reconciliation_differences (
        reference uuid not null,
        difference text not null,
        ours text,
        theirs text,
        found_at timestamptz not null default clock_timestamp(),
        primary key (reference, difference)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table reconciliation_differences, processed_jobs, messages;
      create index tickets_of_order on tickets (sandbox_id, order_id);
      alter table tickets drop constraint tickets_one_per_order, add column concert_id uuid references concerts;
      alter table refunds drop column review_reason, drop column operation_id;
      alter table payments
        drop column refunded_minor, drop column review_reason, drop column operation_id, drop column card,
        drop constraint payments_method_check,
        add constraint payments_method_check check (method in ('balance'))`);
  }
}
