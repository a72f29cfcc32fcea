import type { EntityManager } from 'typeorm';
import type { Answer } from './outcome.js';

/** Names the operation to the phases. It is the same for every attempt, so business rows can be found by it. */
export interface Operation {
  operationId: string;
}

export interface Asking {
  /** `again`: it was asked before, or may have been; looking up what came of that is the safer question then. */
  time: 'first' | 'again';
  /** Aborts when the lease is over, and with it the right to settle. */
  signal: AbortSignal;
}

/**
 * How to go on with a command whose first phase is committed. Knows everything from the database, by the operation
 * id: the process that began may be gone, and the one that goes on may not have the request.
 */
export interface Continuation<Result> {
  /**
   * Asks the outside world, with no transaction open. It is asked again after a crash or an unknown answer, so it must
   * send the same key each time. Only a definite answer is a result; undefined: nobody can tell yet.
   */
  ask(operation: Operation & Asking): Promise<Result | undefined>;
  /** Second transaction: what the result changes, and the final answer. What it throws leaves the command unfinished. */
  settle(manager: EntityManager, operation: Operation, result: Result): Promise<Answer>;
}

/** A command that crosses to a system that Postgres cannot roll back. */
export interface Phases<Result> extends Continuation<Result> {
  /**
   * First transaction: checks and inserts what makes the command visible before anybody outside hears of it.
   * Returning an answer ends the command there, and stores it. Throwing leaves the key unused.
   */
  begin(manager: EntityManager, operation: Operation): Promise<Answer | undefined>;
}
