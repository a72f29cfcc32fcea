import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type KeyedCommand, operationIdOf, requestFingerprint } from './command.js';
import { IDEMPOTENCY_OPTIONS, type IdempotencyOptions } from './idempotency.options.js';
import { type IdempotencyEvent, publish } from './idempotency-events.js';
import {
  claim,
  complete,
  type FoundRecord,
  findRecord,
  type RecordIdentity,
  tryInFlightLock,
} from './idempotency-records.js';
import type { Answer, Outcome } from './outcome.js';
import { CommitUnknownError, inTransaction, type Transaction } from './transaction.js';

/**
 * The business change of one command. Everything it does through `manager` commits together with the record, or
 * not at all. Returning an answer below 500 stores it, a refusal such as 402 included. Throwing rolls everything
 * back and leaves the key unused. It may be run again after a rollback, so it touches nothing but the database.
 */
export type Work = (manager: EntityManager, operation: { operationId: string }) => Promise<Answer>;

@Injectable()
export class IdempotencyService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(IDEMPOTENCY_OPTIONS) private readonly options: IdempotencyOptions,
  ) {}

  /**
   * Does the work of a command at most once, in one transaction with its idempotency record.
   *
   * Never waits for another attempt with the same key: that one is `in_progress`. Rejects with what the work
   * throws, or with what the database says; then nothing was done. Rejects with `CommitUnknownError` when the
   * connection was lost during COMMIT: then nobody can know, and the same key sent again finds out.
   */
  async runInTransaction(command: KeyedCommand, work: Work): Promise<Outcome> {
    const { tenantId, key, operation } = command;
    const operationId = operationIdOf(tenantId, key);
    const identity = { tenantId, key, operation, operationId, fingerprint: requestFingerprint(command) };

    // A completed record never changes until it expires: a replay needs no transaction and no lock.
    const known = outcomeOf(await findRecord(this.dataSource.manager, identity), identity);
    const outcome =
      known ??
      (await inTransaction(this.dataSource, this.options.runsMax, (transaction) =>
        this.claimAndWork(transaction, identity, work),
      ));
    report(OUTCOME_EVENTS[outcome.kind], identity);
    return outcome;
  }

  private async claimAndWork(
    transaction: Transaction,
    identity: RecordIdentity,
    work: Work,
  ): Promise<Outcome> {
    const { operationId } = identity;
    const { manager } = transaction;
    if (!(await tryInFlightLock(manager, operationId, this.options)))
      return { kind: 'in_progress', operationId };

    let epoch = await claim(manager, identity);
    while (epoch === undefined) {
      const found = outcomeOf(await findRecord(manager, identity), identity);
      if (found !== undefined) return found;
      // It expired between the two statements, and is free now. Never go on without having claimed.
      epoch = await claim(manager, identity);
    }
    return this.workAsOwner(transaction, identity, epoch, work);
  }

  private async workAsOwner(
    transaction: Transaction,
    identity: RecordIdentity,
    epoch: number,
    work: Work,
  ): Promise<Outcome> {
    const { operationId, tenantId, key } = identity;
    const { manager } = transaction;
    report(epoch === 1 ? 'claimed' : 'expired_key_reused', identity);
    try {
      const answer = await work(manager, { operationId });
      if (answer.status >= 500) return { kind: 'released', operationId, answer };
      const expiresAt = await complete(manager, { tenantId, key, epoch }, answer, this.options.retentionMs);
      await transaction.commit();
      return { kind: 'completed', operationId, answer, expiresAt };
    } catch (error) {
      await transaction.rollBack();
      report(error instanceof CommitUnknownError ? 'unknown' : 'released', identity);
      throw error;
    }
  }
}

/** What a found record already decides; undefined when the key is free. */
function outcomeOf(record: FoundRecord, { operationId, fingerprint }: RecordIdentity): Outcome | undefined {
  if (record.state === 'absent' || record.state === 'expired') return undefined;
  if (!record.fingerprint.equals(fingerprint)) return { kind: 'key_reused', operationId };
  if (record.state === 'in_progress') return { kind: 'in_progress', operationId };
  const { answer, body, expiresAt } = record;
  if (body === null) return { kind: 'answer_not_kept', operationId, answer, expiresAt };
  return { kind: 'replayed', operationId, answer: { ...answer, body }, expiresAt };
}

const OUTCOME_EVENTS = {
  completed: 'completed',
  replayed: 'replayed',
  answer_not_kept: 'replayed',
  released: 'released',
  in_progress: 'in_progress_hit',
  key_reused: 'fingerprint_mismatch',
} as const satisfies Record<Outcome['kind'], IdempotencyEvent['event']>;

function report(event: IdempotencyEvent['event'], identity: RecordIdentity): void {
  const { operation, operationId, tenantId } = identity;
  publish({ event, operation, operationId, tenantId });
}
