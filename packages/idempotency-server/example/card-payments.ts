import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Continuation, IdempotencyService, type PhasesOutcome } from '@pay-once/idempotency-server';
import { DataSource } from 'typeorm';
import { askCardNetwork, type CardResult } from './card-network.js';
import { PaymentEntity } from './payment.entity.js';

const RECOVER_EVERY_MS = 1_000;

@Injectable()
export class CardPayments implements OnModuleInit, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly idempotency: IdempotencyService,
  ) {}

  pay(key: string, amountMinor: number): Promise<PhasesOutcome> {
    const command = { tenantId: 'shop', key, operation: 'payments.create', fields: { amountMinor } };
    return this.idempotency.runInPhases(command, {
      begin: async (manager, { operationId }) => {
        const id = randomUUID();
        await manager.insert(PaymentEntity, { id, operationId, amountMinor, status: 'processing' });
        return undefined;
      },
      ...this.continuation,
    });
  }

  /** How a payment goes on: for the request that began it, for a retry and for the recovery alike. */
  private readonly continuation: Continuation<CardResult> = {
    ask: async ({ operationId, signal }) => {
      const unsettled = { operationId, status: 'processing' } as const;
      const payment = await this.dataSource.manager.findOneByOrFail(PaymentEntity, unsettled);
      return askCardNetwork(payment, signal); // under the payment's id, each time
    },
    settle: async (manager, { operationId }, status) => {
      const unsettled = { operationId, status: 'processing' } as const;
      const { id } = await manager.findOneByOrFail(PaymentEntity, unsettled);
      await manager.update(PaymentEntity, { id }, { status });
      return {
        status: status === 'approved' ? 201 : 402,
        contentType: 'application/json; charset=utf-8',
        body: Buffer.from(JSON.stringify({ id, status })),
      };
    },
  };

  onModuleInit(): void {
    this.#timer = setInterval(() => {
      this.idempotency.recover({ 'payments.create': this.continuation }).catch(console.error);
    }, RECOVER_EVERY_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }
}
