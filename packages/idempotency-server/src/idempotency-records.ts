import type { EntityManager } from 'typeorm';
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
  | { state: 'in_progress'; fingerprint: Buffer }
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
  expires_at: Date;
  response_status: number;
  response_content_type: string;
  response_location: string | null;
  response_body: Buffer | null;
}

// Each instant is the database's own, taken in the statement that acts on it: API processes need no common clock.

/** Reads what is committed under the key. Takes no lock and waits for nobody. */
export async function findRecord(manager: EntityManager, identity: RecordIdentity): Promise<FoundRecord> {
  const rows: RecordRow[] = await manager.query(
    `select fingerprint, state, expires_at, expires_at <= clock_timestamp() as expired,
            response_status, response_content_type, response_location, response_body
       from idempotency_records
      where tenant_id = $1 and key = $2`,
    [identity.tenantId, identity.key],
  );
  const row = rows[0];
  if (row === undefined) return { state: 'absent' };
  if (row.state === 'in_progress') return { state: 'in_progress', fingerprint: row.fingerprint };
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
  timeouts: { lockTimeoutMs: number; statementTimeoutMs: number; idleTimeoutMs: number },
): Promise<boolean> {
  // The timeouts ride along, set for this transaction only: a slow owner of a row must not collect waiters.
  const rows: { locked: boolean }[] = await manager.query(
    `select set_config('lock_timeout', $2, true), set_config('statement_timeout', $3, true),
            set_config('idle_in_transaction_session_timeout', $4, true),
            pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked`,
    [
      operationId,
      String(timeouts.lockTimeoutMs),
      String(timeouts.statementTimeoutMs),
      String(timeouts.idleTimeoutMs),
    ],
  );
  return rows[0]?.locked === true;
}

/**
 * Makes this attempt the record's owner and returns its epoch, or undefined when someone owns the key already.
 * The unique constraint decides, not a look beforehand. A finished and expired record is a free key.
 */
export async function claim(manager: EntityManager, identity: RecordIdentity): Promise<number | undefined> {
  const rows: { epoch: number }[] = await manager.query(
    `insert into idempotency_records as record (tenant_id, key, operation, operation_id, fingerprint)
     values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, key) do update
        set operation = excluded.operation, fingerprint = excluded.fingerprint, state = 'in_progress',
            epoch = record.epoch + 1, created_at = clock_timestamp(), completed_at = null, expires_at = null,
            response_status = null, response_content_type = null, response_location = null, response_body = null
      where record.state = 'completed' and record.expires_at <= clock_timestamp()
     returning epoch`,
    [identity.tenantId, identity.key, identity.operation, identity.operationId, identity.fingerprint],
  );
  return rows[0]?.epoch;
}

/**
 * Stores the final answer and returns when it expires. Only the owner of this epoch can: whoever was overtaken
 * changes no row, gets an error, and its whole transaction is rolled back.
 */
export async function complete(
  manager: EntityManager,
  owner: { tenantId: string; key: string; epoch: number },
  answer: Answer,
  retentionMs: number,
): Promise<Date> {
  const [rows]: [{ expires_at: Date }[], number] = await manager.query(
    `update idempotency_records
        set state = 'completed', completed_at = clock_timestamp(),
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
