import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { CreatePayment, Payment, PaymentStatus, TestCard } from '@pay-once/contracts';
import type { Answer, Continuation, KeyedCommand, Phases } from '@pay-once/idempotency-server';
import { DataSource, type EntityManager } from 'typeorm';
import { jsonAnswer, problemAnswer } from '../keyed-reply.js';
import { LedgerService, OUTSIDE_ACCOUNT } from '../ledger/ledger.service.js';
import { OrdersService } from '../orders/orders.service.js';
import { notFound, requireId } from '../path-id.pipe.js';
import { ProblemError } from '../problem-error.js';
import { enqueueTicket } from '../tickets/enqueue-ticket.js';
import { CardNetworkClient, type CardResult } from './card-network.client.js';
import { PaymentEntity } from './payment.entity.js';
import { giveSeatsBack, placePayment } from './place-payment.js';
import { settleAs } from './settle-as.js';

/** What it takes to pay one order, all of it verified or validated. */
export interface PayCommand extends CreatePayment {
  sandboxId: string;
  orderId: string;
}

@Injectable()
export class PaymentsService {
  private readonly alarm = new Logger('payments');

  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrdersService,
    private readonly ledger: LedgerService,
    private readonly cardNetwork: CardNetworkClient,
  ) {}

  /** The fields that make this payment this payment. The JSON route and the plain form give the same command. */
  keyed(key: string, { sandboxId, orderId, amountMinor, currency, method }: PayCommand): KeyedCommand {
    // An order that cannot be there claims no key.
    requireId(orderId);
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
    const payment = newPayment(command, { method: 'balance', status: 'succeeded' });
    if ((await this.ledger.debit(manager, sandboxId, command)) === 'insufficient') {
      // A refusal is an answer too: stored under the key, so that its replay cannot turn into a charge.
      await manager.insert(PaymentEntity, { ...payment, status: 'declined' });
      const detail = 'The balance is not enough. Nothing was charged.';
      return problemAnswer(new ProblemError('balance_insufficient', detail), requestId);
    }
    const createdAt = await placePayment(manager, payment);
    await enqueueTicket(manager, { sandboxId, orderId, ticketId: randomUUID() });
    return paymentAnswer(201, { ...payment, createdAt });
  }

  /** Pays an order by card: the payment is there, as `processing`, before the card network hears of it. */
  payByCard(command: PayCommand, card: TestCard, requestId: string): Phases<CardResult> {
    const begin: Phases<CardResult>['begin'] = async (manager, { operationId }) => {
      await this.orders.lockForPayment(manager, command.sandboxId, command.orderId, command);
      await placePayment(
        manager,
        newPayment(command, { method: 'card', card, operationId, status: 'processing' }),
      );
      return undefined;
    };
    return { begin, ...this.byCard(requestId) };
  }

  /** How a card payment goes on after `begin`. The recovery has no request, and so no id of one. */
  byCard(requestId?: string): Continuation<CardResult> {
    return {
      ask: async ({ operationId, ...asking }) => {
        const { id, amountMinor, currency, card, ageMs } = await this.findProcessing(operationId);
        // Our own id is the network's key: every payment has one, and no two payments have the same.
        return this.cardNetwork.authorise({ reference: id, amountMinor, currency, card, ageMs, ...asking });
      },

      settle: async (manager, { operationId }, result) => {
        const payment = await manager.findOneByOrFail(PaymentEntity, {
          operationId,
          status: 'processing',
        });
        await this.orders.lockForSettling(manager, payment);
        switch (result.kind) {
          case 'approved': {
            const { id: paymentId, sandboxId, orderId, amountMinor, currency } = payment;
            const amount = { amountMinor, currency };
            await settleAs(manager, PaymentEntity, payment, { status: 'succeeded' });
            await this.ledger.enter(manager, {
              kind: 'charge',
              sandboxId,
              paymentId,
              payer: OUTSIDE_ACCOUNT,
              ...amount,
            });
            await this.orders.mark(manager, payment, 'paid');
            await enqueueTicket(manager, { sandboxId, orderId, ticketId: randomUUID() });
            return paymentAnswer(201, { ...payment, status: 'succeeded' });
          }
          case 'declined': {
            await settleAs(manager, PaymentEntity, payment, { status: 'declined' });
            await giveSeatsBack(manager, payment);
            await this.orders.mark(manager, payment, 'unpaid');
            const detail = 'The card was declined. Nothing was charged.';
            return problemAnswer(new ProblemError('card_declined', detail), requestId ?? operationId);
          }
          case 'needs_review': {
            const { reason: reviewReason } = result;
            await settleAs(manager, PaymentEntity, payment, { status: 'needs_review', reviewReason });
            this.alarm.error(`Payment ${payment.id} needs a person. ${reviewReason}`);
            // The order stays as being paid: whether it is, only the person will know.
            return paymentAnswer(202, { ...payment, status: 'needs_review' });
          }
        }
      },
    };
  }

  async show(sandboxId: string, paymentId: string): Promise<Payment> {
    requireId(paymentId);
    const payment = await this.dataSource.manager.findOneBy(PaymentEntity, { id: paymentId, sandboxId });
    if (payment === null) throw notFound();
    return toPayment(payment);
  }

  /** The payment that an operation has made; the newest, when its key was used again after its retention. */
  async showOf(operationId: string): Promise<Payment> {
    const newest = { where: { operationId }, order: { createdAt: 'DESC' } } as const;
    return toPayment(await this.dataSource.manager.findOneOrFail(PaymentEntity, newest));
  }

  private async findProcessing(operationId: string): Promise<ProcessingPayment> {
    const [payment]: ProcessingPayment[] = await this.dataSource.query(
      `select id, amount_minor::float as "amountMinor", currency, card,
              extract(epoch from clock_timestamp() - created_at)::float * 1000 as "ageMs"
         from payments where operation_id = $1 and status = 'processing'`,
      [operationId],
    );
    if (payment === undefined) throw new Error(`Operation ${operationId} has made no payment.`);
    return payment;
  }
}

type ProcessingPayment = Pick<PaymentEntity, 'id' | 'amountMinor' | 'currency'> & {
  card: TestCard;
  ageMs: number;
};

function newPayment(
  { sandboxId, orderId, amountMinor, currency }: PayCommand,
  way: { method: 'balance' | 'card'; status: PaymentStatus } & Partial<PaymentEntity>,
): Omit<PaymentEntity, 'createdAt'> {
  const made = { card: null, operationId: null, refundedMinor: 0, reviewReason: null, ...way };
  return { id: randomUUID(), sandboxId, orderId, amountMinor, currency, ...made };
}

function paymentAnswer(status: number, payment: PaymentEntity): Answer {
  return jsonAnswer(status, toPayment(payment), paymentUrl(payment));
}

export function paymentUrl({ id }: { id: string }): string {
  return `/api/payments/${id}`;
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
