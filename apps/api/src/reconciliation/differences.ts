import type { RecordedOperation } from './card-record.js';
import type { OurOperation } from './our-record.js';

/** One thing in which the two records disagree. `ours` and `theirs` are for a person to read. */
export interface Difference {
  reference: string;
  difference:
    | 'unknown to us'
    | 'unknown to the card network'
    | 'done more than once'
    | 'another kind'
    | 'another authorisation'
    | 'another status'
    | 'another amount';
  ours: string | null;
  theirs: string | null;
}

/**
 * Compares what the network did under one reference with what we hold of it. What is still processing on our side has
 * no status to compare: the recovery is at it, and reads the same record. What needs a person has, as soon as the
 * network says how it ended: that is what the person has to know.
 */
export function compare(ours: OurOperation | undefined, theirs: RecordedOperation[]): Difference[] {
  const reference = ours?.id ?? theirs[0]?.reference ?? '';
  const found = (difference: Difference['difference']): Difference => ({
    reference,
    difference,
    ours: ours === undefined ? null : describe(ours),
    theirs: theirs.length === 0 ? null : theirs.map(describe).join(', '),
  });
  if (ours === undefined) return [found('unknown to us')];

  const differences: Difference[] = [];
  const [first] = theirs;
  if (first === undefined) {
    if (ours.status === 'succeeded') differences.push(found('unknown to the card network'));
    return differences;
  }
  if (theirs.filter(({ status }) => status === 'approved').length > 1) {
    differences.push(found('done more than once'));
  }
  if (theirs.some(({ kind }) => kind !== ours.kind)) differences.push(found('another kind'));
  if (theirs.some(({ authorisation }) => authorisation !== ours.authorisation)) {
    differences.push(found('another authorisation'));
  }
  if (
    theirs.some(({ amountMinor, currency }) => amountMinor !== ours.amountMinor || currency !== ours.currency)
  ) {
    differences.push(found('another amount'));
  }
  const end = theirs.some(({ status }) => status === 'approved') ? 'succeeded' : 'declined';
  if (ours.status !== 'processing' && ours.status !== end) differences.push(found('another status'));
  return differences;
}

function describe(operation: OurOperation | RecordedOperation): string {
  const { kind, authorisation, status, amountMinor, currency } = operation;
  const what = authorisation === null ? kind : `${kind} of ${authorisation}`;
  return `${what} ${status} ${amountMinor} ${currency}`;
}
