import type { MigrationInterface, QueryRunner } from 'typeorm';

const AMOUNT = 'bigint not null check (amount_minor between 1 and 10000000000000)';
const CURRENCY = "text not null check (currency in ('IDR', 'JPY', 'KWD', 'USD'))";
const CREATED = 'timestamptz not null default clock_timestamp()';

/** The shop's tables. What must never be true is a constraint here, not a check in the code. */
export class Shop1780000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table sandboxes (
        id uuid primary key,
        token_hash bytea not null constraint sandboxes_token unique,
        created_at ${CREATED}
      );
      create table balances (
        sandbox_id uuid primary key references sandboxes,
        amount_minor bigint not null constraint balances_never_negative
          check (amount_minor between 0 and 10000000000000),
        currency ${CURRENCY}
      );

      create table concerts (
        id uuid primary key,
        title text not null,
        venue text not null,
        starts_at timestamptz not null,
        amount_minor ${AMOUNT},
        currency ${CURRENCY},
        seats integer not null check (seats >= 0)
      );
      create table concert_seats (
        sandbox_id uuid not null references sandboxes,
        concert_id uuid not null references concerts,
        seats_left integer not null constraint concert_seats_never_oversold check (seats_left >= 0),
        primary key (sandbox_id, concert_id)
      );
      create table likes (
        concert_id uuid not null references concerts,
        sandbox_id uuid not null references sandboxes,
        primary key (concert_id, sandbox_id)
      );
      create table cart_items (
        sandbox_id uuid not null references sandboxes,
        concert_id uuid not null references concerts,
        quantity integer not null check (quantity between 1 and 10),
        primary key (sandbox_id, concert_id)
      );

      create table orders (
        sandbox_id uuid not null references sandboxes,
        id uuid not null,
        status text not null default 'unpaid' check (status in ('unpaid', 'paying', 'paid')),
        amount_minor ${AMOUNT},
        currency ${CURRENCY},
        created_at ${CREATED},
        primary key (sandbox_id, id)
      );
      create table order_items (
        sandbox_id uuid not null,
        order_id uuid not null,
        concert_id uuid not null references concerts,
        title text not null,
        quantity integer not null check (quantity between 1 and 10),
        amount_minor ${AMOUNT},
        currency ${CURRENCY},
        primary key (sandbox_id, order_id, concert_id),
        foreign key (sandbox_id, order_id) references orders
      );

      create table payments (
        id uuid primary key,
        sandbox_id uuid not null,
        order_id uuid not null,
        status text not null check (status in ('processing', 'succeeded', 'declined', 'needs_review')),
        amount_minor ${AMOUNT},
        currency ${CURRENCY},
        method text not null check (method in ('balance')),
        created_at ${CREATED},
        foreign key (sandbox_id, order_id) references orders
      );
      -- One payment per order that is, or may yet turn out to be, paid. It outlives the idempotency key.
      create unique index payments_one_per_order on payments (sandbox_id, order_id)
        where status in ('processing', 'succeeded', 'needs_review');
      create index payments_of_order on payments (sandbox_id, order_id);

      create table refunds (
        id uuid primary key,
        sandbox_id uuid not null references sandboxes,
        payment_id uuid not null references payments,
        status text not null check (status in ('processing', 'succeeded', 'declined', 'needs_review')),
        amount_minor ${AMOUNT},
        currency ${CURRENCY},
        created_at ${CREATED}
      );
      create index refunds_of_payment on refunds (payment_id);
      create table tickets (
        id uuid primary key,
        sandbox_id uuid not null,
        order_id uuid not null,
        concert_id uuid not null references concerts,
        issued_at ${CREATED},
        foreign key (sandbox_id, order_id) references orders
      );
      create index tickets_of_order on tickets (sandbox_id, order_id);

      -- Double entry in one row: an amount leaves one account and enters another, so the sum is always zero.
      create table ledger_entries (
        id uuid primary key default gen_random_uuid(),
        sandbox_id uuid not null references sandboxes,
        kind text not null check (kind in ('funding', 'withdrawal', 'charge', 'refund')),
        debit_account text not null,
        credit_account text not null check (credit_account <> debit_account),
        amount_minor ${AMOUNT},
        currency ${CURRENCY},
        payment_id uuid references payments,
        refund_id uuid references refunds,
        created_at ${CREATED},
        check ((kind in ('charge', 'refund')) = (payment_id is not null)),
        check ((kind = 'refund') = (refund_id is not null))
      );
      create unique index ledger_entries_one_charge on ledger_entries (payment_id) where kind = 'charge';
      create unique index ledger_entries_one_refund on ledger_entries (refund_id) where kind = 'refund';
      create index ledger_entries_of_sandbox on ledger_entries (sandbox_id, kind)`);
    await queryRunner.query(`
      create or replace function refuse_change() returns trigger language plpgsql as $$
        begin
          raise exception 'ledger entries are written once' using errcode = 'restrict_violation';
        end $$;
      create trigger ledger_entries_insert_only before update or delete on ledger_entries
        for each row execute function refuse_change()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop table ledger_entries, tickets, refunds, payments, order_items, orders, cart_items, likes,
                 concert_seats, concerts, balances, sandboxes;
      drop function refuse_change()`);
  }
}
