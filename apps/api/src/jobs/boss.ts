import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { CONNECTION_WAIT_MS } from '../database.js';
import { closingSilentConnections } from '../silent-connections.js';
import { SurvivingClient } from '../surviving-client.js';

/** How often a worker looks for jobs whose worker has fallen silent. */
const SUPERVISE_EVERY_SECONDS = 1;
/** Every look reads the whole table, so what is done does not stay in it. */
const DONE_KEPT_SECONDS = 60;
const DONE_ARCHIVED_DAYS = 1;
/** Parked jobs wait for a person, however long that takes. */
const PARKED_KEPT_SECONDS = 10 * 365 * 24 * 60 * 60;

/**
 * The worker's connection to the queue. It creates and migrates nothing: the role has no DDL, and start-up rejects
 * when the schema is not the one that it was made for.
 */
export function createBoss({ url, silenceMs }: { url: string; silenceMs: number }, log: Logger): PgBoss {
  // Its types do not know what it hands on to its pool.
  const connections = {
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    Client: SurvivingClient,
    ...closingSilentConnections(silenceMs),
  };
  const boss = new PgBoss({
    ...connections,
    connectionString: url,
    application_name: 'worker jobs',
    max: 2,
    migrate: false,
    schedule: false,
    maintenanceIntervalSeconds: SUPERVISE_EVERY_SECONDS,
    archiveCompletedAfterSeconds: DONE_KEPT_SECONDS,
    archiveFailedAfterSeconds: PARKED_KEPT_SECONDS,
    deleteAfterDays: DONE_ARCHIVED_DAYS,
  });
  boss.on('error', ({ message }) => log.warn({ reason: message }, 'the queue could not be supervised'));
  return boss;
}
