import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type CreatePayment, createPaymentSchema, type Payment } from '@pay-once/contracts';
import { IdempotencyService } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentSandboxId } from '../identity.js';
import { nameOperation, requireIdempotencyKey, sendOutcome, sendUnfinished } from '../keyed-reply.js';
import { OrdersService } from '../orders/orders.service.js';
import { PathIdPipe } from '../path-id.pipe.js';
import { PaymentsService, paymentUrl } from './payments.service.js';

@Controller('api')
export class PaymentsController {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly payments: PaymentsService,
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
    const keyed = this.payments.keyed(key, command);
    const outcome =
      body.method.type === 'balance'
        ? await this.idempotency.runInTransaction(keyed, (manager) =>
            this.payments.payFromBalance(manager, command, request.id),
          )
        : await this.idempotency.runInPhases(
            keyed,
            this.payments.payByCard(command, body.method.card, request.id),
          );
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
