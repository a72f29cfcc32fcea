import type { EntityManager } from 'typeorm';
import type { z } from 'zod';

/** How the jobs of one queue are worked. A job comes at least once, so both steps must bear a repetition. */
export interface JobHandler<Data> {
  readonly dataSchema: z.ZodType<Data>;
  /**
   * Asks the outside world under a key that is the same for every delivery. No transaction is open. Rejects unless
   * it is certain that the thing was done; the job is then tried again.
   */
  askOutside(data: Data): Promise<void>;
  /** Records what was done, in the transaction that marks the job as processed. */
  record(manager: EntityManager, data: Data): Promise<void>;
}
