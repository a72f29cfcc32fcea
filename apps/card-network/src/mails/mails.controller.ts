import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { type Mail, mailSchema } from '@pay-once/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerWithFault } from '../faults/answer-with-fault.js';
import { FaultsService } from '../faults/faults.service.js';
import { answerOf, requireIdempotencyKey } from '../good-answer.js';
import { type Page, pageSchema } from '../page.js';
import { MailsService, type SentMail } from './mails.service.js';

@Controller('mails')
export class MailsController {
  constructor(
    private readonly faults: FaultsService,
    private readonly mails: MailsService,
  ) {}

  @Post()
  async create(
    @Body({ schema: mailSchema }) body: Mail,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = requireIdempotencyKey(request);
    await answerWithFault(reply, this.faults.next('mails'), async () =>
      answerOf(await this.mails.send(key, body)),
    );
  }

  @Get()
  list(@Query({ schema: pageSchema }) page: Page): Promise<{ mails: SentMail[] }> {
    return this.mails.list(page);
  }
}
