import { type DynamicModule, Module } from '@nestjs/common';
import {
  DEFAULT_IDEMPOTENCY_OPTIONS,
  IDEMPOTENCY_OPTIONS,
  type IdempotencyOptions,
} from './idempotency.options.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyStartupCheck } from './idempotency.startup-check.js';
import { IdempotencySweeper } from './idempotency.sweeper.js';

/** Provides `IdempotencyService` and `IdempotencySweeper` to the whole app. Needs TypeORM's `DataSource`. */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a dynamic Nest module is a class by convention
export class IdempotencyModule {
  static forRoot(options: Partial<IdempotencyOptions> = {}): DynamicModule {
    return {
      module: IdempotencyModule,
      global: true,
      providers: [
        { provide: IDEMPOTENCY_OPTIONS, useValue: { ...DEFAULT_IDEMPOTENCY_OPTIONS, ...options } },
        IdempotencyService,
        IdempotencySweeper,
        IdempotencyStartupCheck,
      ],
      exports: [IdempotencyService, IdempotencySweeper],
    };
  }
}
