import type { TestCard } from '@pay-once/contracts';

/** What becomes of what was asked. */
export type Effect =
  | 'applied'
  | 'declined'
  | 'other_amount'
  | 'other_currency'
  | 'nothing'
  /** Applied after the fault's delay, when nobody waits for the answer any more. */
  | 'applied_later';

/** What becomes of the answer. */
export type ReplyForm =
  | 'whole'
  /** Whole, after the fault's delay. */
  | 'late'
  | 'broken'
  | 'error'
  | 'bad_gateway'
  | 'malformed'
  | 'huge'
  /** A byte, then the fault's delay, then the next byte. */
  | 'dripping'
  | 'redirect';

/** Where a fault can befall a request. `operations` are the look-ups by reference. */
export const DOORS = ['authorisations', 'refunds', 'operations', 'mails'] as const;
export type Door = (typeof DOORS)[number];

interface FaultRow {
  effect: Effect;
  reply: ReplyForm;
  /** Whether look-ups by the reference find what was applied, or only after the fault's delay. */
  lookups?: 'hidden';
  /** Where alone it makes sense, when it does not everywhere. */
  on?: readonly Door[];
  delayMs?: number;
}

const MONEY = ['authorisations', 'refunds'] as const;

/** Every fault: what becomes of what was asked, and, independent of that, of the answer. */
const FAULTS = {
  decline: { effect: 'declined', reply: 'whole', on: MONEY },
  slow: { effect: 'applied', reply: 'late', delayMs: 6_000 },
  reply_lost: { effect: 'applied', reply: 'broken' },
  request_lost: { effect: 'nothing', reply: 'broken' },
  applied_late: { effect: 'applied_later', reply: 'broken', on: [...MONEY, 'mails'], delayMs: 2_000 },
  error_before: { effect: 'nothing', reply: 'error' },
  error_after: { effect: 'applied', reply: 'error' },
  bad_gateway: { effect: 'applied', reply: 'bad_gateway' },
  malformed: { effect: 'applied', reply: 'malformed' },
  huge: { effect: 'applied', reply: 'huge' },
  dripping: { effect: 'applied', reply: 'dripping', delayMs: 500 },
  redirect: { effect: 'nothing', reply: 'redirect' },
  wrong_amount: { effect: 'other_amount', reply: 'whole', on: MONEY },
  wrong_currency: { effect: 'other_currency', reply: 'whole', on: MONEY },
  lookup_unknown: {
    effect: 'applied',
    reply: 'broken',
    lookups: 'hidden',
    on: [...MONEY, 'operations'],
    delayMs: 4_000,
  },
} as const satisfies Record<string, FaultRow>;

export type FaultWord = keyof typeof FAULTS;
export const FAULT_WORDS = Object.keys(FAULTS) as [FaultWord, ...FaultWord[]];

/** How each card misbehaves, or `none`. */
export const CARD_FAULTS: Record<TestCard, FaultWord | 'none'> = {
  card_visa_approved: 'none',
  card_declined: 'decline',
  card_slow: 'slow',
  card_reply_lost: 'reply_lost',
  card_request_lost: 'request_lost',
  card_applied_late: 'applied_late',
  card_error_before: 'error_before',
  card_error_after: 'error_after',
  card_bad_gateway: 'bad_gateway',
  card_malformed: 'malformed',
  card_huge: 'huge',
  card_dripping: 'dripping',
  card_redirect: 'redirect',
  card_wrong_amount: 'wrong_amount',
  card_wrong_currency: 'wrong_currency',
  card_lookup_unknown: 'lookup_unknown',
};

/** One fault as it befalls one request; `none` befalls the others. */
export interface Fault extends FaultRow {
  word: FaultWord | 'none';
  delayMs: number;
}

export const NO_FAULT: Fault = { word: 'none', effect: 'applied', reply: 'whole', delayMs: 0 };

export function isPossible(word: FaultWord, door: Door): boolean {
  const { on }: FaultRow = FAULTS[word];
  return on === undefined || on.includes(door);
}

/** The fault of this name; `delayMs` is in place of its own delay. */
export function faultOf(word: FaultWord, delayMs: number | undefined): Fault {
  const row: FaultRow = FAULTS[word];
  return { word, ...row, delayMs: delayMs ?? row.delayMs ?? 0 };
}
