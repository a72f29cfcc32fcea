import { type CardOperations, cardOperationsSchema } from '@pay-once/contracts';
import { readBoundedText } from '../bounded-text.js';

export type RecordedOperation = CardOperations['operations'][number];

const PAGE_ROWS = 1_000;
const PAGE_TIMEOUT_MS = 10_000;
/** An operation has some hundred bytes. */
const PAGE_BYTES_MAX = PAGE_ROWS * 1_024;

/** Everything that the card network says it has done, by reference. Rejects when it cannot be read to its end. */
export async function readCardRecord(
  url: string,
  signal?: AbortSignal,
): Promise<Map<string, RecordedOperation[]>> {
  const record = new Map<string, RecordedOperation[]>();
  let after = 0;
  for (;;) {
    const operations = await readPage(`${url}/operations?after=${after}&limit=${PAGE_ROWS}`, signal);
    for (const operation of operations) {
      // Read on from there, a record that goes in a circle would never end.
      if (operation.sequence <= after) throw new Error('The card network’s record does not go on.');
      after = operation.sequence;
      const known = record.get(operation.reference);
      if (known === undefined) record.set(operation.reference, [operation]);
      else known.push(operation);
    }
    if (operations.length < PAGE_ROWS) return record;
  }
}

async function readPage(url: string, signal: AbortSignal | undefined): Promise<RecordedOperation[]> {
  const late = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  const response = await fetch(url, {
    // Whoever sends us elsewhere is not the network, and what is said there is not its record.
    redirect: 'error',
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  });
  if (!response.ok) throw new Error(`The card network’s record cannot be read: ${response.status}.`);
  return cardOperationsSchema.parse(JSON.parse(await readBoundedText(response, PAGE_BYTES_MAX))).operations;
}
