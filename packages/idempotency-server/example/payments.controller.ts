import { BadRequestException, Body, Controller, Post, Req, Res } from '@nestjs/common';
import { readIdempotencyKey } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CardPayments } from './card-payments.js';
import { sendOutcome } from './send-outcome.js';

@Controller('payments')
export class PaymentsController {
  constructor(private readonly payments: CardPayments) {}

  @Post()
  async create(
    @Body() body: { amountMinor: number }, // validated by a pipe of yours
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const parsed = readIdempotencyKey(request.raw.rawHeaders);
    if (parsed.kind !== 'valid') throw new BadRequestException('Send one Idempotency-Key.');
    const outcome = await this.payments.pay(parsed.key, body.amountMinor);
    if (outcome.kind === 'unfinished') {
      void reply.status(202).header('retry-after', '2').send('Not known yet. Ask again with the same key.');
    } else {
      sendOutcome(reply, outcome);
    }
  }
}
