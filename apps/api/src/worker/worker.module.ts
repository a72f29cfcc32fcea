import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '@pay-once/idempotency-server';
import type { Config } from '../config.js';
import { dataSourceOptions } from '../database.js';
import { JobQueuesCheck } from '../jobs/job-queues.check.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { OrdersService } from '../orders/orders.service.js';
import { CardNetworkClient } from '../payments/card-network.client.js';
import { CARD_NETWORK, cardNetworkSettings } from '../payments/card-network.settings.js';
import { PaymentsService } from '../payments/payments.service.js';
import { RefundsService } from '../refunds/refunds.service.js';

/** Connections of a worker besides the two of its queue. None is held while the outside world is asked. */
const POOL_MAX = 4;

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a dynamic Nest module is a class by convention
export class WorkerModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({
            url: config.DATABASE_URL,
            poolMax: POOL_MAX,
            name: 'worker',
            silenceMs: config.DATABASE_SILENCE_MS,
          }),
          retryAttempts: 0,
        }),
        IdempotencyModule.forRoot({ retentionMs: config.RETENTION_MS, leaseMs: config.LEASE_MS }),
      ],
      providers: [
        JobQueuesCheck,
        OrdersService,
        LedgerService,
        PaymentsService,
        RefundsService,
        CardNetworkClient,
        { provide: CARD_NETWORK, useValue: cardNetworkSettings(config) },
      ],
    };
  }
}
