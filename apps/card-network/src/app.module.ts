import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '@pay-once/idempotency-server';
import type { Config } from './config.js';
import { dataSourceOptions } from './database.js';
import { AdminController } from './faults/admin.controller.js';
import { ArmedFaults } from './faults/armed-faults.js';
import { ElsewhereController } from './faults/elsewhere.controller.js';
import { FAULT_DELAY_MS, FaultsService } from './faults/faults.service.js';
import { HiddenReferences } from './faults/hidden-references.js';
import { HealthController } from './health.controller.js';
import { MailsController } from './mails/mails.controller.js';
import { MailsService } from './mails/mails.service.js';
import { AuthorisationsController } from './operations/authorisations.controller.js';
import { OperationsController } from './operations/operations.controller.js';
import { OperationsService } from './operations/operations.service.js';
import { RefundsController } from './operations/refunds.controller.js';

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a dynamic Nest module is a class by convention
export class AppModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({ url: config.DATABASE_URL, poolMax: config.POOL_MAX, name: 'card-network' }),
          retryAttempts: 0,
        }),
        IdempotencyModule.forRoot({ retentionMs: config.RETENTION_MS }),
      ],
      controllers: [
        AuthorisationsController,
        RefundsController,
        OperationsController,
        MailsController,
        ElsewhereController,
        HealthController,
        ...(config.ADMIN === 'on' ? [AdminController] : []),
      ],
      providers: [
        OperationsService,
        MailsService,
        FaultsService,
        ArmedFaults,
        HiddenReferences,
        { provide: FAULT_DELAY_MS, useValue: config.FAULT_DELAY_MS },
      ],
    };
  }
}
