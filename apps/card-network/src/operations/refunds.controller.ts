import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { cardRefundSchema } from '@pay-once/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerWithFault } from '../faults/answer-with-fault.js';
import { FaultsService } from '../faults/faults.service.js';
import { HiddenReferences } from '../faults/hidden-references.js';
import { answerOf, requireIdempotencyKey } from '../good-answer.js';
import { type CardRefund, OperationsService } from './operations.service.js';

@Controller('refunds')
export class RefundsController {
  constructor(
    private readonly faults: FaultsService,
    private readonly hidden: HiddenReferences,
    private readonly operations: OperationsService,
  ) {}

  @Post()
  async create(
    @Body({ schema: cardRefundSchema }) body: CardRefund,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = requireIdempotencyKey(request);
    const fault = this.faults.next('refunds', body.reference);
    if (fault.lookups === 'hidden') this.hidden.hide(body.reference, fault.delayMs);
    await answerWithFault(reply, fault, async (how) =>
      answerOf(await this.operations.refund(key, body, how)),
    );
  }
}
