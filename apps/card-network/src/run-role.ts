import type { DataSource } from 'typeorm';

/**
 * Makes the role that the process runs as. It may add to the record and read it, and never change it. Safe to run
 * again. `runUrl` and the owner's URL may name one role; then nothing is done, and the triggers alone protect the record.
 */
export async function grantRunRole(owner: DataSource, runUrl: string): Promise<'granted' | 'same role'> {
  const { username, password } = new URL(runUrl);
  const [current]: { name: string; database: string }[] = await owner.query(
    'select current_user as name, current_database() as database',
  );
  const name = decodeURIComponent(username);
  if (name === current?.name) return 'same role';

  const role = quoteIdentifier(name);
  const database = quoteIdentifier(current?.database ?? '');
  await owner.query(
    `do $do$ begin create role ${role} login; exception when duplicate_object then null; end $do$`,
  );
  if (password !== '') {
    await owner.query(`alter role ${role} password ${quoteLiteral(decodeURIComponent(password))}`);
  }
  await owner.query(`
    grant connect on database ${database} to ${role};
    grant usage on schema public to ${role};
    grant select on all tables in schema public to ${role};
    grant insert on operations, mails, heard_references to ${role};
    grant insert, update, delete on idempotency_records to ${role};
    revoke update, delete, truncate on operations, mails from ${role};
    revoke create on schema public from ${role};
    revoke create on schema public from public;
    revoke temporary on database ${database} from public`);
  return 'granted';
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteLiteral(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
