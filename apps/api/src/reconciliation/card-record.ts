import { type CardOperations, cardOperationsSchema } from '@pay-once/contracts';

export type RecordedOperation = CardOperations['operations'][number];

const PAGE_ROWS = 1_000;
const PAGE_TIMEOUT_MS = 10_000;

/** Everything that the card network says it has done, by reference. Rejects when it cannot be read to its end. */
export async function readCardRecord(url: string): Promise<Map<string, RecordedOperation[]>> {
  const record = new Map<string, RecordedOperation[]>();
  let after = 0;
  for (;;) {
    const response = await fetch(`${url}/operations?after=${after}&limit=${PAGE_ROWS}`, {
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The card network’s record cannot be read: ${response.status}.`);
    const { operations } = cardOperationsSchema.parse(await response.json());
    for (const operation of operations) {
      record.set(operation.reference, [...(record.get(operation.reference) ?? []), operation]);
      after = operation.sequence;
    }
    if (operations.length < PAGE_ROWS) return record;
  }
}
