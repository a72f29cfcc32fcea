import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '@pay-once/idempotency-server';
import { DataSource } from 'typeorm';
import { CartController } from './cart/cart.controller.js';
import { CartService } from './cart/cart.service.js';
import { CatalogController } from './catalog/catalog.controller.js';
import { CatalogService } from './catalog/catalog.service.js';
import type { Config } from './config.js';
import { dataSourceOptions } from './database.js';
import { DocumentsController } from './documents/documents.controller.js';
import { PAGE_SHELL, PageShell } from './documents/page-shell.js';
import { ProblemPagesController } from './documents/problem-pages.controller.js';
import { HealthController } from './health.controller.js';
import { JobQueuesCheck } from './jobs/job-queues.check.js';
import { LedgerService } from './ledger/ledger.service.js';
import { SummaryController } from './ledger/summary.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessagesService } from './messages/messages.service.js';
import { MetricsController } from './observability/metrics.controller.js';
import { Metrics } from './observability/metrics.js';
import { OrdersController } from './orders/orders.controller.js';
import { OrdersService } from './orders/orders.service.js';
import { CardNetworkClient } from './payments/card-network.client.js';
import { CARD_NETWORK, cardNetworkSettings } from './payments/card-network.settings.js';
import { CheckoutFormController } from './payments/checkout-form.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { PaymentsService } from './payments/payments.service.js';
import { RefundsController } from './refunds/refunds.controller.js';
import { RefundsService } from './refunds/refunds.service.js';
import { SandboxesController } from './sandboxes/sandboxes.controller.js';
import { SandboxesService } from './sandboxes/sandboxes.service.js';

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a dynamic Nest module is a class by convention
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({
            url: config.DATABASE_URL,
            poolMax: config.POOL_MAX,
            name: 'api',
            silenceMs: config.DATABASE_SILENCE_MS,
          }),
          retryAttempts: 0,
        }),
        IdempotencyModule.forRoot({ retentionMs: config.RETENTION_MS, leaseMs: config.LEASE_MS }),
      ],
      controllers: [
        SandboxesController,
        CatalogController,
        CartController,
        OrdersController,
        PaymentsController,
        CheckoutFormController,
        RefundsController,
        MessagesController,
        SummaryController,
        HealthController,
        MetricsController,
        ProblemPagesController,
        // Last: it answers every address that no other controller knows.
        DocumentsController,
      ],
      providers: [
        SandboxesService,
        CatalogService,
        CartService,
        OrdersService,
        PaymentsService,
        RefundsService,
        LedgerService,
        CardNetworkClient,
        { provide: CARD_NETWORK, useValue: cardNetworkSettings(config) },
        MessagesService,
        JobQueuesCheck,
        {
          provide: Metrics,
          useFactory: (dataSource: DataSource) => new Metrics(dataSource),
          inject: [DataSource],
        },
        {
          provide: PAGE_SHELL,
          useValue: PageShell.read(config.WEB_DIST),
        },
      ],
    };
  }
}
