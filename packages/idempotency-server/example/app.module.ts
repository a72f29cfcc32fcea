import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule, IdempotencyRecords1780000000000 } from '@pay-once/idempotency-server';
import { OrderEntity } from './order.entity.js';
import { OrdersController } from './orders.controller.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://localhost/shop',
      entities: [OrderEntity],
      migrations: [IdempotencyRecords1780000000000 /* and yours */],
    }),
    IdempotencyModule.forRoot({ retentionMs: 24 * 60 * 60 * 1000 }),
  ],
  controllers: [OrdersController],
})
export class AppModule {}
