import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CreatePayment, Payment } from '@pay-once/contracts';
import type { Answer, KeyedCommand } from '@pay-once/idempotency-server';
import { DataSource, type EntityManager } from 'typeorm';
import { jsonAnswer, problemAnswer } from '../keyed-reply.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { OrdersService } from '../orders/orders.service.js';
import { notFound, requireId } from '../path-id.pipe.js';
import { ProblemError } from '../problem-error.js';
import { enqueueTicket } from '../tickets/enqueue-ticket.js';
import { PaymentEntity } from './payment.entity.js';
import { settleFromBalance } from './settle-from-balance.js';

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
    const { amountMinor, currency, method } = command;
    const of = { card: null, operationId: null };
    const payment = {
      id: randomUUID(),
      sandboxId,
      orderId,
      amountMinor,
      currency,
      method: method.type,
      ...of,
    };
    if ((await this.ledger.debit(manager, sandboxId, command)) === 'insufficient') {
      // A refusal is an answer too: stored under the key, so that its replay cannot turn into a charge.
      await manager.insert(PaymentEntity, { ...payment, status: 'declined' });
      const detail = 'The balance is not enough. Nothing was charged.';
      return problemAnswer(new ProblemError('balance_insufficient', detail), requestId);
    }
    const createdAt = await settleFromBalance(manager, payment);
    await enqueueTicket(manager, { sandboxId, orderId, ticketId: randomUUID() });
    return jsonAnswer(
      201,
      toPayment({ ...payment, status: 'succeeded', createdAt }),
      `/api/payments/${payment.id}`,
    );
  }

  async show(sandboxId: string, paymentId: string): Promise<Payment> {
    requireId(paymentId);
    const payment = await this.dataSource.manager.findOneBy(PaymentEntity, { id: paymentId, sandboxId });
    if (payment === null) throw notFound();
    return toPayment(payment);
  }
}

function toPayment(row: PaymentEntity): Payment {
  return {
    id: row.id,
    orderId: row.orderId,
    status: row.status,
    amountMinor: row.amountMinor,
    currency: row.currency,
    method: row.card === null ? { type: 'balance' } : { type: 'card', card: row.card },
    createdAt: row.createdAt.toISOString(),
  };
}
