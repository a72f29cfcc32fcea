import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { IDEMPOTENCY_OPTIONS, type IdempotencyOptions } from './idempotency.options.js';
import { publish } from './idempotency-events.js';
import { sweepExpired } from './idempotency-records.js';

@Injectable()
export class IdempotencySweeper {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(IDEMPOTENCY_OPTIONS) private readonly options: IdempotencyOptions,
  ) {}

  /**
   * Deletes every finished, expired record, batch by batch, and returns how many there were. Call it from a timer
   * of your own. Any number of processes may sweep at once; a record in progress is never touched. When `signal`
   * aborts, the batch under way is the last.
   */
  async sweep(signal?: AbortSignal): Promise<number> {
    let total = 0;
    for (;;) {
      const count = await sweepExpired(this.dataSource.manager, this.options.sweepBatchMax);
      total += count;
      if (count > 0) publish({ event: 'swept', count });
      if (count < this.options.sweepBatchMax || signal?.aborted) return total;
    }
  }
}
