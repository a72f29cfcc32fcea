import type { EntityManager } from 'typeorm';

/**
 * From here until its commit, this transaction alone adds to `record`. So sequences appear in their order, and a reader
 * that goes on after the last one it has seen misses nothing; and what is read before adding still holds when it is added.
 */
export async function appendInTurn(manager: EntityManager, record: 'operations' | 'mails'): Promise<void> {
  await manager.query('select pg_advisory_xact_lock(hashtext($1))', [record]);
}
