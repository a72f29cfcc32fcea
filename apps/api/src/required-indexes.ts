import type { DataSource } from 'typeorm';

/** What holds when every check in the code has failed: one payment an order, one ledger entry a charge or refund. */
const REQUIRED_INDEXES = ['payments_one_per_order', 'ledger_entries_one_charge', 'ledger_entries_one_refund'];

/** Rejects when an index that money depends on is missing or invalid: it would show only as a double charge, later. */
export async function requireIndexes(dataSource: DataSource): Promise<void> {
  const missing: { name: string }[] = await dataSource.query(
    `select name from unnest($1::text[]) as name
      where not exists (select from pg_index
                         where indexrelid = to_regclass(name) and indisunique and indisvalid)`,
    [REQUIRED_INDEXES],
  );
  if (missing.length === 0) return;
  throw new Error(`Unique indexes are missing or invalid: ${missing.map(({ name }) => name).join(', ')}.`);
}
