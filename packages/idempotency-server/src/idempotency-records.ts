import type { EntityManager } from 'typeorm';
import type { IdempotencyOptions } from './idempotency.options.js';
import { type Answer, STORED_BODY_BYTES_MAX } from './outcome.js';

/** The columns that name and describe a record. */
export interface RecordIdentity {
  tenantId: string;
  key: string;
  operation: string;
  operationId: string;
  fingerprint: Buffer;
}

/** A record as another attempt left it. */
export type FoundRecord =
  | { state: 'absent' }
  | { state: 'expired' }
  /** `silent`: the owner's lease is over. */
  | { state: 'in_progress'; fingerprint: Buffer; owner: 'active' | 'silent' }
  | {
      state: 'completed';
      fingerprint: Buffer;
      answer: Omit<Answer, 'body'>;
      /** null: the body was too long to be kept. */
      body: Buffer | null;
      expiresAt: Date;
    };

interface RecordRow {
  fingerprint: Buffer;
  state: 'in_progress' | 'completed';
  expired: boolean | null;
  silent: boolean | null;
  expires_at: Date;
  response_status: number;
  response_content_type: string;
  response_location: string | null;
  response_body: Buffer | null;
}

// Each instant is the database's own, taken in the statement that acts on it: API processes need no common clock.

/** What bounds a keyed transaction. In milliseconds. */
type Timeouts = Pick<IdempotencyOptions, 'lockTimeoutMs' | 'statementTimeoutMs' | 'idleTimeoutMs'>;

/** Rides along with the first statement, for its transaction only: a slow owner of a row must not collect waiters. */
const SET_TIMEOUTS = `set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
            set_config('idle_in_transaction_session_timeout', $3, true)`;

function timeoutsOf({ lockTimeoutMs, statementTimeoutMs, idleTimeoutMs }: Timeouts): string[] {
  return [String(lockTimeoutMs), String(statementTimeoutMs), String(idleTimeoutMs)];
}

/** Reads what is committed under the key. Takes no lock and waits for nobody. */
export async function findRecord(manager: EntityManager, identity: RecordIdentity): Promise<FoundRecord> {
  const rows: RecordRow[] = await manager.query(
    `select fingerprint, state, expires_at, expires_at <= clock_timestamp() as expired,
            lease_expires_at <= clock_timestamp() as silent,
            response_status, response_content_type, response_location, response_body
       from idempotency_records
      where tenant_id = $1 and key = $2`,
    [identity.tenantId, identity.key],
  );
  const row = rows[0];
  if (row === undefined) return { state: 'absent' };
  if (row.state === 'in_progress') {
    return { state: 'in_progress', fingerprint: row.fingerprint, owner: row.silent ? 'silent' : 'active' };
  }
  if (row.expired) return { state: 'expired' };
  const answer = {
    status: row.response_status,
    contentType: row.response_content_type,
    ...(row.response_location !== null && { location: row.response_location }),
  };
  const { fingerprint, response_body: body, expires_at: expiresAt } = row;
  return { state: 'completed', fingerprint, answer, body, expiresAt };
}

/**
 * Tries to be the only attempt of this key that works. Must be a statement of its own, before any read: in one
 * statement with the read, the snapshot would be older than the lock, and a duplicate would not see the record
 * that was committed in between. Never waits; the lock ends with the transaction.
 */
export async function tryInFlightLock(
  manager: EntityManager,
  operationId: string,
  timeouts: Timeouts,
): Promise<boolean> {
  const rows: { locked: boolean }[] = await manager.query(
    `select ${SET_TIMEOUTS}, pg_try_advisory_xact_lock(hashtextextended($4, 0)) as locked`,
    [...timeoutsOf(timeouts), operationId],
  );
  return rows[0]?.locked === true;
}

/**
 * Makes this attempt the record's owner and returns its epoch, or undefined when someone owns the key already.
 * The unique constraint decides, not a look beforehand. A finished and expired record is a free key.
 */
export async function claim(
  manager: EntityManager,
  identity: RecordIdentity,
  leaseMs: number,
): Promise<number | undefined> {
  const rows: { epoch: number }[] = await manager.query(
    `insert into idempotency_records as record (tenant_id, key, operation, operation_id, fingerprint, lease_expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 millisecond')
     on conflict (tenant_id, key) do update
        set operation = excluded.operation, fingerprint = excluded.fingerprint, state = 'in_progress',
            epoch = record.epoch + 1, lease_expires_at = excluded.lease_expires_at,
            created_at = clock_timestamp(), completed_at = null, expires_at = null,
            response_status = null, response_content_type = null, response_location = null, response_body = null
      where record.state = 'completed' and record.expires_at <= clock_timestamp()
     returning epoch`,
    [
      identity.tenantId,
      identity.key,
      identity.operation,
      identity.operationId,
      identity.fingerprint,
      leaseMs,
    ],
  );
  return rows[0]?.epoch;
}

/** Who owns a record: the key, and which of its owners this is. */
export interface Owner {
  tenantId: string;
  key: string;
  epoch: number;
}

/**
 * Becomes the owner of a record whose owner is silent and returns the new epoch, or undefined when somebody else is
 * at it. Never waits. The old owner, should it wake up, can change nothing more: its epoch is past.
 */
export async function takeOver(
  manager: EntityManager,
  { tenantId, key }: RecordIdentity,
  leaseMs: number,
): Promise<number | undefined> {
  const [rows]: [{ epoch: number }[], number] = await manager.query(
    `with silent as (
       select tenant_id, key from idempotency_records
        where tenant_id = $1 and key = $2 and state = 'in_progress' and lease_expires_at <= clock_timestamp()
        for no key update skip locked)
     update idempotency_records as record
        set epoch = epoch + 1, lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond'
       from silent where record.tenant_id = silent.tenant_id and record.key = silent.key
     returning epoch`,
    [tenantId, key, leaseMs],
  );
  return rows[0]?.epoch;
}

/** Keeps others from taking over until the transaction ends. False: somebody has, and this owner has no say any more. */
export async function holdAsOwner(
  manager: EntityManager,
  owner: Owner,
  timeouts: Timeouts,
): Promise<boolean> {
  const rows: { held: boolean | null }[] = await manager.query(
    `select ${SET_TIMEOUTS},
            (select true from idempotency_records
              where tenant_id = $4 and key = $5 and epoch = $6 and state = 'in_progress'
                for no key update) as held`,
    [...timeoutsOf(timeouts), owner.tenantId, owner.key, owner.epoch],
  );
  return rows[0]?.held === true;
}

/** Lets others take over from now on. Returns whether there was a lease to end: not when somebody else has taken over or settled. */
export async function endLease(manager: EntityManager, owner: Owner): Promise<boolean> {
  const [, count]: [unknown[], number] = await manager.query(
    `update idempotency_records set lease_expires_at = clock_timestamp()
      where tenant_id = $1 and key = $2 and epoch = $3 and state = 'in_progress'`,
    [owner.tenantId, owner.key, owner.epoch],
  );
  return count === 1;
}

/**
 * The records of these operations whose owner has been silent for long enough to ask again, the longest silent first.
 * Long enough is half of the time that the command had taken by then: quick at first, and ever more seldom.
 */
export async function findUnfinished(
  manager: EntityManager,
  operations: string[],
  { recoveryBatchMax, recoveryPauseMaxMs }: IdempotencyOptions,
): Promise<RecordIdentity[]> {
  return manager.query(
    `select tenant_id as "tenantId", key, operation, operation_id as "operationId", fingerprint
       from idempotency_records
      where state = 'in_progress' and operation = any($1)
        and lease_expires_at + least((lease_expires_at - created_at) / 2, $2 * interval '1 millisecond')
            <= clock_timestamp()
      order by lease_expires_at limit $3`,
    [operations, recoveryPauseMaxMs, recoveryBatchMax],
  );
}

/**
 * Stores the final answer and returns when it expires. Only the owner of this epoch can: whoever was overtaken
 * changes no row, gets an error, and its whole transaction is rolled back.
 */
export async function complete(
  manager: EntityManager,
  owner: Owner,
  answer: Answer,
  retentionMs: number,
): Promise<Date> {
  const [rows]: [{ expires_at: Date }[], number] = await manager.query(
    `update idempotency_records
        set state = 'completed', lease_expires_at = null, completed_at = clock_timestamp(),
            expires_at = clock_timestamp() + $4 * interval '1 millisecond',
            response_status = $5, response_content_type = $6, response_location = $7, response_body = $8
      where tenant_id = $1 and key = $2 and epoch = $3 and state = 'in_progress'
     returning expires_at`,
    [
      owner.tenantId,
      owner.key,
      owner.epoch,
      retentionMs,
      answer.status,
      answer.contentType,
      answer.location ?? null,
      answer.body.length <= STORED_BODY_BYTES_MAX ? answer.body : null,
    ],
  );
  const completed = rows[0];
  if (completed === undefined)
    throw new Error('The idempotency record is no longer this attempt’s to complete.');
  return completed.expires_at;
}

/**
 * Deletes finished, expired records, at most `batchMax`, and returns how many. An unfinished record is never
 * deleted, however old. Rows that someone is working on are left for the next sweep.
 */
export async function sweepExpired(manager: EntityManager, batchMax: number): Promise<number> {
  // The batch is chosen once, in a CTE: as a subquery of the delete it might be run again and choose more.
  const [, count]: [unknown[], number] = await manager.query(
    `with batch as materialized (
       select tenant_id, key from idempotency_records
        where state = 'completed' and expires_at <= clock_timestamp()
        order by expires_at limit $1 for update skip locked)
     delete from idempotency_records using batch
      where idempotency_records.tenant_id = batch.tenant_id and idempotency_records.key = batch.key`,
    [batchMax],
  );
  return count;
}
