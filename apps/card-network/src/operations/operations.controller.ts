import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { type CardOperations, idSchema } from '@pay-once/contracts';
import type { FastifyReply } from 'fastify';
import { answerWithFault } from '../faults/answer-with-fault.js';
import { FaultsService } from '../faults/faults.service.js';
import { HiddenReferences } from '../faults/hidden-references.js';
import { freshAnswer, problemAnswer } from '../good-answer.js';
import { type Page, pageSchema } from '../page.js';
import { OperationsService } from './operations.service.js';

@Controller('operations')
export class OperationsController {
  constructor(
    private readonly faults: FaultsService,
    private readonly hidden: HiddenReferences,
    private readonly operations: OperationsService,
  ) {}

  /** The record itself. No fault befalls it: it is what everything else is measured by. */
  @Get()
  list(@Query({ schema: pageSchema }) page: Page): Promise<CardOperations> {
    return this.operations.list(page);
  }

  @Get(':reference')
  async show(
    @Param('reference', { schema: idSchema }) reference: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const fault = this.faults.next('operations', reference);
    const isHidden = fault.lookups === 'hidden';
    // To be told that there is nothing is all of that fault; the answer itself arrives whole.
    await answerWithFault(reply, isHidden ? { ...fault, reply: 'whole' } : fault, async () => {
      const operation = isHidden || this.hidden.has(reference) ? null : await this.operations.find(reference);
      return operation === null
        ? problemAnswer(404, 'There is no operation of this reference.')
        : freshAnswer(operation);
    });
  }
}
