/**
 * The longest body, in bytes, that is stored for replays. The limit bounds what a key costs; the work of a longer
 * answer still runs once, and the first caller still gets all of it.
 */
export const STORED_BODY_BYTES_MAX = 1024 * 1024;

/** What the work answers, and what every replay answers again, byte for byte. */
export interface Answer {
  /** Below 500: a server error says nothing final, so it is not stored. */
  status: number;
  contentType: string;
  location?: string;
  body: Buffer;
}

/** Everything that can come of a keyed command. Switch over all of it. */
export type Outcome =
  /** The work ran and is committed together with this answer. */
  | { kind: 'completed'; operationId: string; answer: Answer; expiresAt: Date }
  /** The work ran earlier; this is its stored answer. Nothing was done now. */
  | { kind: 'replayed'; operationId: string; answer: Answer; expiresAt: Date }
  /** The work ran earlier; its body was longer than `STORED_BODY_BYTES_MAX`. Nothing was done now. */
  | { kind: 'answer_not_kept'; operationId: string; answer: Omit<Answer, 'body'>; expiresAt: Date }
  /** The work answered 500 or above: rolled back whole, the key is unused. */
  | { kind: 'released'; operationId: string; answer: Answer }
  /**
   * Another attempt with this key is running right now. Nothing was done; the same key will tell. `silent`: it was
   * begun in phases and its owner's lease is over, so that `runInPhases` would go on with it.
   */
  | { kind: 'in_progress'; operationId: string; owner: 'active' | 'silent' }
  /** The key belongs to another command. Nothing was done, and the stored record stays as it is. */
  | { kind: 'key_reused'; operationId: string };

/** Everything that can come of a command in phases. */
export type PhasesOutcome =
  | Outcome
  /** What the outside world did is not known yet. Nothing is lost: the same key, or the recovery, goes on with it. */
  | { kind: 'unfinished'; operationId: string };
