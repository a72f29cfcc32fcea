import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type KeyedCommand, operationIdOf, requestFingerprint } from './command.js';
import { IDEMPOTENCY_OPTIONS, type IdempotencyOptions } from './idempotency.options.js';
import { type IdempotencyEvent, publish } from './idempotency-events.js';
import {
  claim,
  complete,
  endLease,
  type FoundRecord,
  findRecord,
  findUnfinished,
  holdAsOwner,
  type Owner,
  type RecordIdentity,
  takeOver,
  tryInFlightLock,
} from './idempotency-records.js';
import type { Answer, Outcome, PhasesOutcome } from './outcome.js';
import type { Asking, Continuation, Operation, Phases } from './phases.js';
import { RecoveryError, UnfinishedError } from './recovery-error.js';
import { CommitUnknownError, inTransaction, type Transaction } from './transaction.js';

/**
 * The business change of one command. Everything it does through `manager` commits together with the record, or
 * not at all. Returning an answer below 500 stores it, a refusal such as 402 included. Throwing rolls everything
 * back and leaves the key unused. It may be run again after a rollback, so it touches nothing but the database.
 */
export type Work = (manager: EntityManager, operation: Operation) => Promise<Answer>;

/** The first phase is committed and this attempt is the owner: it goes on outside. */
interface Owned extends Pick<Asking, 'time'> {
  kind: 'owned';
  epoch: number;
}

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
    const identity = identityOf(command);
    const outcome = await this.findOrBegin(identity, work);
    if (outcome.kind === 'owned')
      throw new Error('This command was begun in phases; go on with it by `runInPhases`.');
    return report(outcome, identity);
  }

  /**
   * Does a command that crosses to an outside system: `begin` in one transaction with the claim, `ask` with none open,
   * `settle` in one transaction with the stored answer. What was left unfinished is gone on with by whoever comes
   * first, the same key or `recover`, at `ask`; the first run is no different from that.
   *
   * Rejects as `runInTransaction` does. After `begin` has committed, nothing that goes wrong undoes it: the command is
   * unfinished, and the same key sent again goes on with it.
   */
  async runInPhases<Result>(command: KeyedCommand, phases: Phases<Result>): Promise<PhasesOutcome> {
    const identity = identityOf(command);
    let found = await this.findOrBegin(identity, (manager, operation) => phases.begin(manager, operation));
    if (found.kind === 'in_progress' && found.owner === 'silent') found = await this.takeOver(identity);
    const outcome = found.kind === 'owned' ? await this.goOn(identity, found, phases) : found;
    return report(outcome, identity);
  }

  /**
   * Takes over what was left unfinished, of the operations named, and goes on with it, all at the same time. Returns
   * how it ended. Call it from a timer of your own; any number of processes may. What one command throws stops no
   * other: at the end it rejects with a `RecoveryError`, which says which threw what, and how the others ended.
   */
  async recover(continuations: Record<string, Continuation<unknown>>): Promise<PhasesOutcome[]> {
    const operations = Object.keys(continuations);
    const left = await findUnfinished(this.dataSource.manager, operations, this.options);
    const ends = await Promise.all(
      left.map(async (identity) => {
        try {
          const continuation = continuations[identity.operation];
          const taken = await this.takeOver(identity);
          if (taken.kind !== 'owned' || continuation === undefined) return taken;
          return report(await this.goOn(identity, taken, continuation), identity);
        } catch (error) {
          return new UnfinishedError(identity.operationId, error);
        }
      }),
    );
    const errors = ends.filter((end) => end instanceof UnfinishedError);
    const outcomes = ends.flatMap((end) =>
      end instanceof UnfinishedError || end.kind === 'owned' ? [] : [end],
    );
    if (errors.length > 0) throw new RecoveryError(errors, outcomes);
    return outcomes;
  }

  /** What the record decides already, or what comes of beginning. */
  private async findOrBegin(
    identity: RecordIdentity,
    begin: (manager: EntityManager, operation: Operation) => Promise<Answer | undefined>,
  ): Promise<Outcome | Owned> {
    // A completed record never changes until it expires: a replay needs no transaction and no lock.
    const known = outcomeOf(await findRecord(this.dataSource.manager, identity), identity);
    return (
      known ??
      (await inTransaction(this.dataSource, this.options.runsMax, (transaction) =>
        this.claimAndBegin(transaction, identity, begin),
      ))
    );
  }

  private async claimAndBegin(
    transaction: Transaction,
    identity: RecordIdentity,
    begin: (manager: EntityManager, operation: Operation) => Promise<Answer | undefined>,
  ): Promise<Outcome | Owned> {
    const { operationId } = identity;
    const { manager } = transaction;
    if (!(await tryInFlightLock(manager, operationId, this.options)))
      return { kind: 'in_progress', operationId, owner: 'active' };

    let epoch = await claim(manager, identity, this.options.leaseMs);
    while (epoch === undefined) {
      const found = outcomeOf(await findRecord(manager, identity), identity);
      if (found !== undefined) return found;
      // It expired between the two statements, and is free now. Never go on without having claimed.
      epoch = await claim(manager, identity, this.options.leaseMs);
    }
    publishOf(epoch === 1 ? 'claimed' : 'expired_key_reused', identity);

    try {
      const answer = await begin(manager, { operationId });
      if (answer !== undefined) return await this.finish(transaction, identity, epoch, answer);
      await transaction.commit();
      return { kind: 'owned', epoch, time: 'first' };
    } catch (error) {
      await transaction.rollBack();
      publishOf(error instanceof CommitUnknownError ? 'unknown' : 'released', identity);
      throw error;
    }
  }

  private async takeOver(identity: RecordIdentity): Promise<Outcome | Owned> {
    const epoch = await takeOver(this.dataSource.manager, identity, this.options.leaseMs);
    if (epoch === undefined)
      return { kind: 'in_progress', operationId: identity.operationId, owner: 'active' };
    publishOf('taken_over', identity);
    return { kind: 'owned', epoch, time: 'again' };
  }

  /** Asks and settles as the owner of this epoch. */
  private async goOn<Result>(
    identity: RecordIdentity,
    { epoch, time }: Owned,
    continuation: Continuation<Result>,
  ): Promise<PhasesOutcome> {
    const { operationId, tenantId, key } = identity;
    const owner = { tenantId, key, epoch };
    const signal = AbortSignal.timeout(this.options.leaseMs);
    try {
      const result = await continuation.ask({ operationId, time, signal });
      if (result !== undefined)
        return await inTransaction(this.dataSource, this.options.runsMax, (transaction) =>
          this.settle(transaction, identity, epoch, continuation, result),
        );
      return (await this.letGo(identity, owner)) ?? { kind: 'unfinished', operationId };
    } catch (error) {
      // Of one that was overtaken, what the other has settled counts, and not what went wrong here.
      const settled = await this.letGo(identity, owner);
      if (settled !== undefined) return settled;
      publishOf(error instanceof CommitUnknownError ? 'unknown' : 'unfinished', identity);
      throw error;
    }
  }

  private async settle<Result>(
    transaction: Transaction,
    identity: RecordIdentity,
    epoch: number,
    continuation: Continuation<Result>,
    result: Result,
  ): Promise<PhasesOutcome> {
    const { operationId, tenantId, key } = identity;
    const { manager } = transaction;
    if (!(await holdAsOwner(manager, { tenantId, key, epoch }, this.options))) {
      // Overtaken: whoever took over has settled it, or is about to. This attempt changes nothing more.
      return outcomeOf(await findRecord(manager, identity), identity) ?? { kind: 'unfinished', operationId };
    }
    const answer = await continuation.settle(manager, { operationId }, result);
    if (answer.status >= 500) throw new Error('What is settled has a final answer, below 500.');
    return this.finish(transaction, identity, epoch, answer);
  }

  /** Stores the answer and commits; an answer that is not final is given, and everything rolled back. */
  private async finish(
    transaction: Transaction,
    { operationId, tenantId, key }: RecordIdentity,
    epoch: number,
    answer: Answer,
  ): Promise<Outcome> {
    if (answer.status >= 500) return { kind: 'released', operationId, answer };
    const owner = { tenantId, key, epoch };
    const expiresAt = await complete(transaction.manager, owner, answer, this.options.retentionMs);
    await transaction.commit();
    return { kind: 'completed', operationId, answer, expiresAt };
  }

  /**
   * Spares the next owner the wait. Returns what the record says now when this attempt is the owner no more. When the
   * database is away, the lease ends by itself.
   */
  private async letGo(identity: RecordIdentity, owner: Owner): Promise<Outcome | undefined> {
    const { manager } = this.dataSource;
    try {
      if (await endLease(manager, owner)) return undefined;
      return outcomeOf(await findRecord(manager, identity), identity);
    } catch {
      return undefined;
    }
  }
}

function identityOf(command: KeyedCommand): RecordIdentity {
  const { tenantId, key, operation } = command;
  const operationId = operationIdOf(tenantId, key);
  return { tenantId, key, operation, operationId, fingerprint: requestFingerprint(command) };
}

/** What a found record already decides; undefined when the key is free. */
function outcomeOf(record: FoundRecord, { operationId, fingerprint }: RecordIdentity): Outcome | undefined {
  if (record.state === 'absent' || record.state === 'expired') return undefined;
  if (!record.fingerprint.equals(fingerprint)) return { kind: 'key_reused', operationId };
  if (record.state === 'in_progress') return { kind: 'in_progress', operationId, owner: record.owner };
  const { answer, body, expiresAt } = record;
  if (body === null) return { kind: 'answer_not_kept', operationId, answer, expiresAt };
  return { kind: 'replayed', operationId, answer: { ...answer, body }, expiresAt };
}

const OUTCOME_EVENTS = {
  completed: 'completed',
  replayed: 'replayed',
  answer_not_kept: 'replayed',
  released: 'released',
  unfinished: 'unfinished',
  in_progress: 'in_progress_hit',
  key_reused: 'fingerprint_mismatch',
} as const satisfies Record<PhasesOutcome['kind'], IdempotencyEvent['event']>;

function report<O extends PhasesOutcome>(outcome: O, identity: RecordIdentity): O {
  publishOf(OUTCOME_EVENTS[outcome.kind], identity);
  return outcome;
}

function publishOf(event: IdempotencyEvent['event'], identity: RecordIdentity): void {
  const { operation, operationId, tenantId } = identity;
  publish({ event, operation, operationId, tenantId });
}
