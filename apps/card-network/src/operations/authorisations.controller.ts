import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { authoriseSchema } from '@pay-once/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerWithFault } from '../faults/answer-with-fault.js';
import { FaultsService } from '../faults/faults.service.js';
import { HiddenReferences } from '../faults/hidden-references.js';
import { answerOf, requireIdempotencyKey } from '../good-answer.js';
import { type Authorise, OperationsService } from './operations.service.js';

@Controller('authorisations')
export class AuthorisationsController {
  constructor(
    private readonly faults: FaultsService,
    private readonly hidden: HiddenReferences,
    private readonly operations: OperationsService,
  ) {}

  @Post()
  async create(
    @Body({ schema: authoriseSchema }) body: Authorise,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = requireIdempotencyKey(request);
    const fault = await this.faults.nextOfCard(body.card, body.reference);
    if (fault.lookups === 'hidden') this.hidden.hide(body.reference, fault.delayMs);
    await answerWithFault(reply, fault, async (how) =>
      answerOf(await this.operations.authorise(key, body, how)),
    );
  }
}
