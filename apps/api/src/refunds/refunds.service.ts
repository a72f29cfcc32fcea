import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { CreateRefund, Refund } from '@pay-once/contracts';
import type { Answer, Continuation, KeyedCommand, Phases } from '@pay-once/idempotency-server';
import { DataSource, type EntityManager } from 'typeorm';
import { isCheckViolation } from '../database-error.js';
import { jsonAnswer, problemAnswer } from '../keyed-reply.js';
import { LedgerService, OUTSIDE_ACCOUNT, SHOPPER_ACCOUNT } from '../ledger/ledger.service.js';
import { notFound, requireId } from '../path-id.pipe.js';
import { CardNetworkClient, type CardResult } from '../payments/card-network.client.js';
import { PaymentEntity } from '../payments/payment.entity.js';
import { settleAs } from '../payments/settle-as.js';
import { ProblemError } from '../problem-error.js';
import { RefundEntity } from './refund.entity.js';

/** What it takes to refund a part or all of one payment, all of it verified or validated. */
export interface RefundCommand extends CreateRefund {
  sandboxId: string;
  paymentId: string;
}

/** Gives money back by the way it came: to the balance in one transaction, to a card in phases. */
@Injectable()
export class RefundsService {
  private readonly alarm = new Logger('refunds');

  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerService,
    private readonly cardNetwork: CardNetworkClient,
  ) {}

  keyed(key: string, { sandboxId, paymentId, amountMinor, refundedMinor }: RefundCommand): KeyedCommand {
    const seen = refundedMinor === undefined ? {} : { refundedMinor };
    const fields = { paymentId, amountMinor, ...seen };
    return { tenantId: sandboxId, key, operation: 'refunds.create', fields };
  }

  /** How the payment was made, which never changes. */
  async methodOf(sandboxId: string, paymentId: string): Promise<PaymentEntity['method']> {
    requireId(paymentId);
    const payment = await this.dataSource.manager.findOneBy(PaymentEntity, { id: paymentId, sandboxId });
    if (payment === null) throw notFound();
    return payment.method;
  }

  /** Runs inside the keyed transaction. */
  async refundToBalance(manager: EntityManager, command: RefundCommand): Promise<Answer> {
    const refund = await this.insert(manager, command, { status: 'succeeded' });
    await this.ledger.enter(manager, { kind: 'refund', ...entryOf(refund), payer: SHOPPER_ACCOUNT });
    if ((await this.ledger.credit(manager, refund.sandboxId, refund)) === 'too_full')
      throw new ProblemError(
        'request_invalid',
        'The balance cannot hold this much more. Nothing was given back.',
      );
    return refundAnswer(201, refund);
  }

  /** The refund is there, as `processing`, and its amount is set aside, before the card network hears of it. */
  refundToCard(command: RefundCommand, requestId: string): Phases<CardResult> {
    const begin: Phases<CardResult>['begin'] = async (manager, { operationId }) => {
      await this.insert(manager, command, { status: 'processing', operationId });
      return undefined;
    };
    return { begin, ...this.toCard(requestId) };
  }

  /** How a refund to a card goes on after `begin`. The recovery has no request, and so no id of one. */
  toCard(requestId?: string): Continuation<CardResult> {
    return {
      ask: async ({ operationId, ...asking }) => {
        const { id: reference, paymentId, ...rest } = await this.findProcessing(operationId);
        // The payment's id is what the network knows its authorisation by.
        return this.cardNetwork.refund({ reference, authorisation: paymentId, ...rest, ...asking });
      },

      settle: async (manager, { operationId }, result) => {
        const refund = await manager.findOneByOrFail(RefundEntity, { operationId, status: 'processing' });
        switch (result.kind) {
          case 'approved':
            await settleAs(manager, RefundEntity, refund, { status: 'succeeded' });
            await this.ledger.enter(manager, { kind: 'refund', ...entryOf(refund), payer: OUTSIDE_ACCOUNT });
            return refundAnswer(201, { ...refund, status: 'succeeded' });
          case 'declined': {
            await settleAs(manager, RefundEntity, refund, { status: 'declined' });
            await manager.decrement(
              PaymentEntity,
              { id: refund.paymentId },
              'refundedMinor',
              refund.amountMinor,
            );
            const detail = 'The card network refused the refund. No money was given back.';
            return problemAnswer(new ProblemError('card_declined', detail), requestId ?? operationId);
          }
          case 'needs_review': {
            const { reason: reviewReason } = result;
            await settleAs(manager, RefundEntity, refund, { status: 'needs_review', reviewReason });
            this.alarm.error(`Refund ${refund.id} needs a person. ${reviewReason}`);
            // The amount stays set aside: whether it was given back, only the person will know.
            return refundAnswer(202, { ...refund, status: 'needs_review' });
          }
        }
      },
    };
  }

  async show(sandboxId: string, refundId: string): Promise<Refund> {
    requireId(refundId);
    const refund = await this.dataSource.manager.findOneBy(RefundEntity, { id: refundId, sandboxId });
    if (refund === null) throw notFound();
    return toRefund(refund);
  }

  /** The refund that an operation has made; the newest, when its key was used again after its retention. */
  async showOf(operationId: string): Promise<Refund> {
    const newest = { where: { operationId }, order: { createdAt: 'DESC' } } as const;
    return toRefund(await this.dataSource.manager.findOneOrFail(RefundEntity, newest));
  }

  /** Sets the amount aside and inserts the refund. The constraint decides, however many refunds run at once. */
  private async insert(
    manager: EntityManager,
    { sandboxId, paymentId, amountMinor, refundedMinor }: RefundCommand,
    way: Pick<RefundEntity, 'status'> & Partial<Pick<RefundEntity, 'operationId'>>,
  ): Promise<RefundEntity> {
    const taken = { id: paymentId, sandboxId, status: 'succeeded' } as const;
    const seen = refundedMinor === undefined ? {} : { refundedMinor };
    const { affected } = await manager
      .increment(PaymentEntity, { ...taken, ...seen }, 'refundedMinor', amountMinor)
      .catch((error: unknown) => {
        throw isCheckViolation(error, 'payments_refunded_once') ? tooMuch() : error;
      });
    if (affected !== 1) {
      const payment = await manager.findOneBy(PaymentEntity, taken);
      throw payment && payment.refundedMinor + amountMinor <= payment.amountMinor ? notAsSeen() : tooMuch();
    }
    const { currency } = await manager.findOneByOrFail(PaymentEntity, { id: paymentId });
    const refund = manager.create(RefundEntity, {
      ...{ id: randomUUID(), sandboxId, paymentId, amountMinor, currency },
      ...way,
    });
    await manager.insert(RefundEntity, refund);
    return refund;
  }

  private async findProcessing(operationId: string): Promise<ProcessingRefund> {
    const [refund]: ProcessingRefund[] = await this.dataSource.query(
      `select id, payment_id as "paymentId", amount_minor::float as "amountMinor", currency,
              extract(epoch from clock_timestamp() - created_at)::float * 1000 as "ageMs"
         from refunds where operation_id = $1 and status = 'processing'`,
      [operationId],
    );
    if (refund === undefined) throw new Error(`Operation ${operationId} has made no refund.`);
    return refund;
  }
}

type ProcessingRefund = Pick<RefundEntity, 'id' | 'paymentId' | 'amountMinor' | 'currency'> & {
  ageMs: number;
};

function tooMuch(): ProblemError {
  return new ProblemError(
    'refund_exceeds_payment',
    'This is more than the payment still holds. Nothing was given back.',
  );
}

function notAsSeen(): ProblemError {
  return new ProblemError(
    'refund_conflict',
    'Another refund has come between. Nothing was given back by this request. Look at the refunds, then decide again.',
  );
}

function entryOf({ id: refundId, sandboxId, paymentId, amountMinor, currency }: RefundEntity) {
  return { refundId, sandboxId, paymentId, amountMinor, currency };
}

function refundAnswer(status: number, refund: RefundEntity): Answer {
  return jsonAnswer(status, toRefund(refund), refundUrl(refund));
}

export function refundUrl({ id }: { id: string }): string {
  return `/api/refunds/${id}`;
}

function toRefund({ id, paymentId, status, amountMinor, currency, createdAt }: RefundEntity): Refund {
  return { id, paymentId, status, amountMinor, currency, createdAt: createdAt.toISOString() };
}
