import type { DataSource } from 'typeorm';

/**
 * Makes the role that the processes run as, and gives it what they need and no more: no DDL, and no update or
 * delete of ledger entries. Safe to run again. `runUrl` and the owner's URL may name one role; then nothing is
 * done, and the trigger alone protects the ledger.
 */
export async function grantRunRole(owner: DataSource, runUrl: string): Promise<'granted' | 'same role'> {
  const { username, password } = new URL(runUrl);
  const [current]: { name: string; database: string }[] = await owner.query(
    'select current_user as name, current_database() as database',
  );
  const name = decodeURIComponent(username);
  if (name === current?.name) return 'same role';

  const role = quoteIdentifier(name);
  await owner.query(
    `do $do$ begin create role ${role} login; exception when duplicate_object then null; end $do$`,
  );
  if (password !== '') {
    await owner.query(`alter role ${role} password ${quoteLiteral(decodeURIComponent(password))}`);
  }
  // What runs outside a transaction has no timeouts of its own.
  await owner.query(
    `alter role ${role} set statement_timeout = '15s'; alter role ${role} set lock_timeout = '5s'`,
  );
  await owner.query(`
    grant connect on database ${quoteIdentifier(current?.database ?? '')} to ${role};
    grant usage on schema public to ${role};
    grant select on all tables in schema public to ${role};
    grant insert, update on sandboxes, balances, concert_seats, likes, cart_items, orders, order_items,
                            payments, refunds, tickets, messages, processed_jobs, reconciliation_differences,
                            idempotency_records to ${role};
    grant delete on likes, cart_items, processed_jobs, reconciliation_differences, idempotency_records to ${role};
    grant insert on ledger_entries to ${role};
    revoke update, delete, truncate on ledger_entries from ${role};
    grant usage on schema pgboss to ${role};
    grant select on pgboss.version, pgboss.queue to ${role};
    grant update (maintained_on) on pgboss.version to ${role};
    grant select, insert, update, delete on pgboss.job to ${role};
    grant select, insert, delete on pgboss.archive to ${role};
    revoke execute on function pgboss.create_queue(text, json), pgboss.delete_queue(text) from public;
    revoke create on schema public from ${role};
    revoke create on schema public from public;
    revoke temporary on database ${quoteIdentifier(current?.database ?? '')} from public`);
  return 'granted';
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteLiteral(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
