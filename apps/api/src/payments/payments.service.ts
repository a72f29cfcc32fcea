import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CreatePayment, Payment, PaymentStatus } from '@pay-once/contracts';
import type { Answer, KeyedCommand } from '@pay-once/idempotency-server';
import { DataSource, type EntityManager } from 'typeorm';
import { isUniqueViolation } from '../database-error.js';
import { jsonAnswer, problemAnswer } from '../keyed-reply.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { OrdersService } from '../orders/orders.service.js';
import { notFound, requireId } from '../path-id.pipe.js';
import { ProblemError } from '../problem-error.js';
import { PaymentEntity } from './payment.entity.js';

/** What it takes to pay one order, all of it verified or validated. */
export interface PayCommand extends CreatePayment {
  sandboxId: string;
  orderId: string;
}

@Injectable()
export class PaymentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrdersService,
    private readonly ledger: LedgerService,
  ) {}

  /** The fields that make this payment this payment. The JSON route and the plain form give the same command. */
  keyed(key: string, { sandboxId, orderId, amountMinor, currency, method }: PayCommand): KeyedCommand {
    return {
      tenantId: sandboxId,
      key,
      operation: 'payments.create',
      fields: { orderId, amountMinor, currency, method },
    };
  }

  /**
   * Pays an order from the sandbox's balance. Runs inside the keyed transaction: the answer that it returns is
   * stored together with everything it changed, and what it throws undoes all of it and leaves the key unused.
   */
  async payFromBalance(manager: EntityManager, command: PayCommand, requestId: string): Promise<Answer> {
    const { sandboxId, orderId } = command;
    await this.orders.lockForPayment(manager, sandboxId, orderId, command);

    // Locks are taken in one order everywhere: key, order, balance, seats.
    if ((await this.ledger.debit(manager, sandboxId, command)) === 'insufficient') {
      // A refusal is an answer too: stored under the key, so that its replay cannot turn into a charge.
      await this.record(manager, command, 'declined');
      const refusal = new ProblemError(
        'balance_insufficient',
        'The balance is not enough. Nothing was charged.',
      );
      return problemAnswer(refusal, requestId);
    }
    await this.orders.takeSeats(manager, sandboxId, orderId);
    const payment = await this.record(manager, command, 'succeeded');
    await this.ledger.charge(manager, sandboxId, payment.id, command);
    await this.orders.markPaid(manager, sandboxId, orderId);
    return jsonAnswer(201, payment, `/api/payments/${payment.id}`);
  }

  async show(sandboxId: string, paymentId: string): Promise<Payment> {
    requireId(paymentId);
    const payment = await this.dataSource.manager.findOneBy(PaymentEntity, { id: paymentId, sandboxId });
    if (payment === null) throw notFound();
    return toPayment(payment);
  }

  private async record(manager: EntityManager, command: PayCommand, status: PaymentStatus): Promise<Payment> {
    const { sandboxId, orderId, amountMinor, currency, method } = command;
    const payment = {
      id: randomUUID(),
      sandboxId,
      orderId,
      status,
      amountMinor,
      currency,
      method: method.type,
    };
    try {
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(PaymentEntity)
        .values(payment)
        .returning('created_at')
        .execute();
      const [{ created_at: createdAt }] = inserted.raw as [{ created_at: Date }];
      return toPayment({ ...payment, createdAt });
    } catch (error) {
      // The order row said unpaid, the index knows better. It is the last word.
      if (!isUniqueViolation(error, 'payments_one_per_order')) throw error;
      throw new ProblemError('order_already_paid', 'This order was paid before. Nothing was charged now.');
    }
  }
}

function toPayment(row: PaymentEntity): Payment {
  return {
    id: row.id,
    orderId: row.orderId,
    status: row.status,
    amountMinor: row.amountMinor,
    currency: row.currency,
    method: { type: row.method },
    createdAt: row.createdAt.toISOString(),
  };
}
