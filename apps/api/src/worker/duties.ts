import type { INestApplicationContext } from '@nestjs/common';
import { IdempotencyService, IdempotencySweeper } from '@pay-once/idempotency-server';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { Config } from '../config.js';
import { createBoss } from '../jobs/boss.js';
import { JobConsumer } from '../jobs/job-consumer.js';
import { JobsDuty } from '../jobs/jobs.duty.js';
import { sweepProcessedJobs } from '../jobs/processed-jobs.js';
import { MailProviderClient } from '../mail-provider.client.js';
import { MessageMailHandler } from '../messages/message-mail.handler.js';
import { PaymentsService } from '../payments/payments.service.js';
import { reconcile } from '../reconciliation/reconcile.js';
import { RefundsService } from '../refunds/refunds.service.js';
import { TicketMailHandler } from '../tickets/ticket-mail.handler.js';
import type { Duty } from './duty.js';
import { PeriodicDuty } from './periodic.duty.js';
import { recoverUnfinished } from './recover-unfinished.js';

/** Somebody is waiting for each of them. */
const RECOVERY_PAUSE_MS = 500;
/** Expired records do no harm while they wait; a minute keeps each sweep small. */
const RECORD_SWEEP_PAUSE_MS = 60_000;
/** Marks are kept for days: an hour more or less does not matter. */
const MARK_SWEEP_PAUSE_MS = 60 * 60_000;

/** Everything a worker does. */
export function dutiesOf(app: INestApplicationContext, config: Config, log: Logger): Duty[] {
  const dataSource = app.get(DataSource);
  const idempotency = app.get(IdempotencyService);
  const payments = app.get(PaymentsService);
  const refunds = app.get(RefundsService);
  const sweeper = app.get(IdempotencySweeper);
  const boss = createBoss({ url: config.DATABASE_URL, silenceMs: config.DATABASE_SILENCE_MS }, log);
  const mail = new MailProviderClient({
    url: config.MAIL_PROVIDER_URL ?? config.CARD_NETWORK_URL,
    timeoutMs: config.MAIL_TIMEOUT_MS,
  });
  const tickets = new TicketMailHandler(dataSource, mail);
  const messages = new MessageMailHandler(dataSource, mail, config.CONTACT_ADDRESS);
  return [
    new JobsDuty(boss, [
      new JobConsumer({ boss, dataSource, log, queue: 'e-tickets', handler: tickets }),
      new JobConsumer({ boss, dataSource, log, queue: 'messages', handler: messages }),
    ]),
    new PeriodicDuty({
      name: 'recovery of unfinished operations',
      pauseMs: RECOVERY_PAUSE_MS,
      log,
      work: (signal) => {
        const left = { 'payments.create': payments.byCard(), 'refunds.create': refunds.toCard() };
        return recoverUnfinished(idempotency, left, { log, signal });
      },
    }),
    new PeriodicDuty({
      name: 'reconciliation with the card network',
      pauseMs: config.RECONCILIATION_PAUSE_MS,
      log,
      work: async (signal) => {
        const { news } = await reconcile(dataSource, config.CARD_NETWORK_URL, signal);
        for (const difference of news) log.error(difference, 'the card network’s record and ours differ');
      },
    }),
    new PeriodicDuty({
      name: 'sweeping expired records',
      pauseMs: RECORD_SWEEP_PAUSE_MS,
      log,
      work: (signal) => sweeper.sweep(signal),
    }),
    new PeriodicDuty({
      name: 'sweeping the marks of processed jobs',
      pauseMs: MARK_SWEEP_PAUSE_MS,
      log,
      work: (signal) => sweepProcessedJobs(dataSource, config.PROCESSED_JOBS_KEPT_DAYS, signal),
    }),
  ];
}
