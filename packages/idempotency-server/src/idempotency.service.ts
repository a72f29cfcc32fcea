import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
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
   * throws, or with what the database says; then nothing was done, except when the connection was lost during
   * COMMIT: then nobody can know, and the same key sent again finds out.
   */
  async runInTransaction(command: KeyedCommand, work: Work): Promise<Outcome> {
    const { tenantId, key, operation } = command;
    const operationId = operationIdOf(tenantId, key);
    const identity = { tenantId, key, operation, operationId, fingerprint: requestFingerprint(command) };

    // A completed record never changes until it expires: a replay needs no transaction and no lock.
    const known = this.outcomeOf(await findRecord(this.dataSource.manager, identity), identity);
    try {
      const outcome = known ?? (await this.runWithRetries(identity, work));
      publish({ event: OUTCOME_EVENTS[outcome.kind], operation, operationId, tenantId });
      return outcome;
    } catch (error) {
      publish({ event: 'released', operation, operationId, tenantId });
      throw error;
    }
  }

  /** What a found record already decides; undefined when the key is free. */
  private outcomeOf(record: FoundRecord, identity: RecordIdentity): Outcome | undefined {
    const { operationId } = identity;
    if (record.state === 'absent' || record.state === 'expired') return undefined;
    if (!record.fingerprint.equals(identity.fingerprint)) return { kind: 'key_reused', operationId };
    if (record.state === 'in_progress') return { kind: 'in_progress', operationId };
    return { kind: 'replayed', operationId, answer: record.answer, expiresAt: record.expiresAt };
  }

  /** A deadlock or a serialization conflict left nothing behind, so the whole transaction is run again. */
  private async runWithRetries(identity: RecordIdentity, work: Work): Promise<Outcome> {
    for (let run = 1; ; run++) {
      try {
        return await this.runOnce(identity, work);
      } catch (error) {
        if (run >= this.options.runsMax || !wasRolledBackByDatabase(error)) throw error;
      }
    }
  }

  private async runOnce(identity: RecordIdentity, work: Work): Promise<Outcome> {
    const queryRunner = this.dataSource.createQueryRunner();
    try {
      await queryRunner.startTransaction();
      const outcome = await this.claimAndWork(queryRunner.manager, identity, work);
      if (outcome.kind === 'completed') await queryRunner.commitTransaction();
      else await queryRunner.rollbackTransaction();
      return outcome;
    } catch (error) {
      // The first error is the one that tells; a dead connection cannot roll back and need not: Postgres does.
      if (queryRunner.isTransactionActive) await queryRunner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await queryRunner.release();
    }
  }

  private async claimAndWork(manager: EntityManager, identity: RecordIdentity, work: Work): Promise<Outcome> {
    const { operationId, tenantId, key, operation } = identity;
    if (!(await tryInFlightLock(manager, operationId, this.options)))
      return { kind: 'in_progress', operationId };

    let epoch = await claim(manager, identity);
    while (epoch === undefined) {
      const found = this.outcomeOf(await findRecord(manager, identity), identity);
      if (found !== undefined) return found;
      // Swept or expired between the two statements. Never go on without having claimed.
      epoch = await claim(manager, identity);
    }
    publish({ event: epoch === 1 ? 'claimed' : 'expired_key_reused', operation, operationId, tenantId });

    const answer = await work(manager, { operationId });
    if (answer.status >= 500) return { kind: 'released', operationId, answer };
    const expiresAt = await complete(manager, { tenantId, key, epoch }, answer, this.options.retentionMs);
    return { kind: 'completed', operationId, answer, expiresAt };
  }
}

const OUTCOME_EVENTS = {
  completed: 'completed',
  replayed: 'replayed',
  released: 'released',
  in_progress: 'in_progress_hit',
  key_reused: 'fingerprint_mismatch',
} as const satisfies Record<Outcome['kind'], IdempotencyEvent['event']>;

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** Only what the database itself says it rolled back. A lost connection says nothing, so it is never run again. */
function wasRolledBackByDatabase(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { code } = error.driverError as { code?: string };
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}
