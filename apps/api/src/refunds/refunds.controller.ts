import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type CreateRefund, createRefundSchema, type Refund } from '@pay-once/contracts';
import { IdempotencyService } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentSandboxId } from '../identity.js';
import { nameOperation, requireIdempotencyKey, sendOutcome, sendUnfinished } from '../keyed-reply.js';
import { PathIdPipe } from '../path-id.pipe.js';
import { RefundsService, refundUrl } from './refunds.service.js';

@Controller('api')
export class RefundsController {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly refunds: RefundsService,
  ) {}

  @Post('payments/:paymentId/refunds')
  async create(
    @CurrentSandboxId() sandboxId: string,
    @Param('paymentId', PathIdPipe) paymentId: string,
    @Body({ schema: createRefundSchema }) body: CreateRefund,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = requireIdempotencyKey(request);
    nameOperation(reply, sandboxId, key);

    const command = { sandboxId, paymentId, ...body };
    const keyed = this.refunds.keyed(key, command);
    const outcome =
      (await this.refunds.methodOf(sandboxId, paymentId)) === 'balance'
        ? await this.idempotency.runInTransaction(keyed, (manager) =>
            this.refunds.refundToBalance(manager, command),
          )
        : await this.idempotency.runInPhases(keyed, this.refunds.refundToCard(command, request.id));
    if (outcome.kind === 'unfinished') {
      const refund = await this.refunds.showOf(outcome.operationId);
      return sendUnfinished(reply, refund, refundUrl(refund));
    }
    sendOutcome(reply, outcome);
  }

  @Get('refunds/:refundId')
  async show(
    @CurrentSandboxId() sandboxId: string,
    @Param('refundId', PathIdPipe) refundId: string,
  ): Promise<Refund> {
    return this.refunds.show(sandboxId, refundId);
  }
}
