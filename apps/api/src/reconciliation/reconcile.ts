import type { DataSource } from 'typeorm';
import { inShortTransaction } from '../short-transaction.js';
import { readCardRecord } from './card-record.js';
import { compare, type Difference } from './differences.js';
import { readOurRecord } from './our-record.js';

/** What differs, and what of it was not known before, or known otherwise. */
export interface Reconciliation {
  differences: Difference[];
  news: Difference[];
}

/**
 * Compares the card network's record with ours, both from their beginnings, and makes `reconciliation_differences` say
 * what it found: new rows for what is new, new texts where they changed, none for what is settled. Of two that run at
 * once, the one that ends last has the last word, until the next. Changes no payment: what to do about a difference is
 * for a person to decide. Rejects, and leaves the table as it was, when a record cannot be read to its end, or when
 * `signal` aborts.
 */
export async function reconcile(
  dataSource: DataSource,
  cardNetworkUrl: string,
  signal?: AbortSignal,
): Promise<Reconciliation> {
  // What we hold as done was done there before; what was done there was asked for by us before. So ours is read on
  // both sides of theirs, and nothing that happens meanwhile looks like a difference.
  const before = await readOurRecord(dataSource);
  const theirs = await readCardRecord(cardNetworkUrl, signal);
  const after = await readOurRecord(dataSource);

  const references = new Set([...before.keys(), ...theirs.keys()]);
  const differences = [...references].flatMap((reference) =>
    compare(
      theirs.has(reference) ? after.get(reference) : before.get(reference),
      theirs.get(reference) ?? [],
    ),
  );
  return { differences, news: await store(dataSource, differences) };
}

/** Makes the table say what differs now, and returns what it did not say before, or not so. */
async function store(dataSource: DataSource, differences: Difference[]): Promise<Difference[]> {
  return inShortTransaction(dataSource, async (manager) => {
    const now = JSON.stringify(differences);
    await manager.query(
      `delete from reconciliation_differences as known where not exists (
         select from jsonb_to_recordset($1) as now (reference uuid, difference text)
          where now.reference = known.reference and now.difference = known.difference)`,
      [now],
    );
    const news: Pick<Difference, 'reference' | 'difference'>[] = await manager.query(
      `insert into reconciliation_differences as known (reference, difference, ours, theirs)
       select * from jsonb_to_recordset($1) as now (reference uuid, difference text, ours text, theirs text)
       on conflict (reference, difference) do update
          set ours = excluded.ours, theirs = excluded.theirs
        where (known.ours, known.theirs) is distinct from (excluded.ours, excluded.theirs)
       returning reference, difference`,
      [now],
    );
    return differences.filter((one) =>
      news.some(({ reference, difference }) => reference === one.reference && difference === one.difference),
    );
  });
}
