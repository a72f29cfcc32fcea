import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule, IdempotencyRecords1780000000000 } from '@pay-once/idempotency-server';
import { CardPayments } from './card-payments.js';
import { OrderEntity } from './order.entity.js';
import { OrdersController } from './orders.controller.js';
import { PaymentEntity } from './payment.entity.js';
import { PaymentsController } from './payments.controller.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://localhost/shop',
      entities: [OrderEntity, PaymentEntity],
      migrations: [IdempotencyRecords1780000000000 /* and yours */],
    }),
    IdempotencyModule.forRoot({ retentionMs: 24 * 60 * 60 * 1000, leaseMs: 15_000 }),
  ],
  controllers: [OrdersController, PaymentsController],
  providers: [CardPayments],
})
export class AppModule {}
