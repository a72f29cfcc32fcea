/**
 * The cards that can be paid with: names, never numbers. Each name says how the simulated card network behaves, the
 * first time that it hears of a payment; asked again, it answers as any network would.
 */
export const TEST_CARDS = [
  'card_visa_approved',
  'card_declined',
  /** Approved, after longer than a person likes to wait. */
  'card_slow',
  /** Applied, then the connection breaks before the answer. */
  'card_reply_lost',
  /** The connection breaks and nothing is applied. */
  'card_request_lost',
  /** The connection breaks, and it is applied only a while later. */
  'card_applied_late',
  /** 500, and nothing is applied. */
  'card_error_before',
  /** Applied, then 500. */
  'card_error_after',
  /** Applied, and a gateway in between answers 502 with a page of HTML. */
  'card_bad_gateway',
  /** Applied, and the answer is not JSON. */
  'card_malformed',
  /** Applied, and the answer does not end. */
  'card_huge',
  /** Applied, and the answer comes a byte at a time. */
  'card_dripping',
  /** Nothing is applied; the answer points elsewhere. */
  'card_redirect',
  /** Applied, for another amount than was asked. */
  'card_wrong_amount',
  /** Applied, in another currency than was asked. */
  'card_wrong_currency',
  /** Applied, the answer is lost, and look-ups do not know of it for a while. */
  'card_lookup_unknown',
] as const;
export type TestCard = (typeof TEST_CARDS)[number];
