import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type CreatePayment, createPaymentSchema, type Payment } from '@pay-once/contracts';
import { IdempotencyService, type PhasesOutcome } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentSandboxId } from '../identity.js';
import { nameOperation, requireIdempotencyKey, sendOutcome, sendUnfinished } from '../keyed-reply.js';
import { OrdersService } from '../orders/orders.service.js';
import { PathIdPipe } from '../path-id.pipe.js';
import { type PayCommand, PaymentsService, paymentUrl } from './payments.service.js';

@Controller('api')
export class PaymentsController {
  constructor(
    readonly idempotency: IdempotencyService,
    readonly payments: PaymentsService,
    private readonly orders: OrdersService,
  ) {}

  @Post('orders/:orderId/payments')
  async create(
    @CurrentSandboxId() sandboxId: string,
    @Param('orderId', PathIdPipe) orderId: string,
    @Body({ schema: createPaymentSchema }) body: CreatePayment,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = requireIdempotencyKey(request);
    nameOperation(reply, sandboxId, key);

    const command = { sandboxId, orderId, ...body };
    const outcome = await runPayment(this, key, command, request.id);
    if (outcome.kind === 'unfinished') {
      const payment = await this.payments.showOf(outcome.operationId);
      return sendUnfinished(reply, payment, paymentUrl(payment));
    }
    // The path is part of the fingerprint. An order that is not here is a 404 before it is a reuse of the key.
    if (outcome.kind === 'key_reused' || outcome.kind === 'in_progress') {
      await this.orders.requireOrder(sandboxId, orderId);
    }
    sendOutcome(reply, outcome);
  }

  @Get('payments/:paymentId')
  async show(
    @CurrentSandboxId() sandboxId: string,
    @Param('paymentId', PathIdPipe) paymentId: string,
  ): Promise<Payment> {
    return this.payments.show(sandboxId, paymentId);
  }
}

/** One payment under one key: the same call for the JSON route and for the plain form. */
export function runPayment(
  { idempotency, payments }: { idempotency: IdempotencyService; payments: PaymentsService },
  key: string,
  command: PayCommand,
  requestId: string,
): Promise<PhasesOutcome> {
  const keyed = payments.keyed(key, command);
  const { method } = command;
  return method.type === 'balance'
    ? idempotency.runInTransaction(keyed, (manager) => payments.payFromBalance(manager, command, requestId))
    : idempotency.runInPhases(keyed, payments.payByCard(command, method.card, requestId));
}
