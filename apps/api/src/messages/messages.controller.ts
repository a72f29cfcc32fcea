import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { type CreateMessage, createMessageSchema } from '@pay-once/contracts';
import { IdempotencyService } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentSandboxId } from '../identity.js';
import { nameOperation, requireIdempotencyKey, sendOutcome } from '../keyed-reply.js';
import { MessagesService } from './messages.service.js';

@Controller('api/messages')
export class MessagesController {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly messages: MessagesService,
  ) {}

  @Post()
  async create(
    @CurrentSandboxId() sandboxId: string,
    @Body({ schema: createMessageSchema }) body: CreateMessage,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = requireIdempotencyKey(request);
    nameOperation(reply, sandboxId, key);

    const command = { tenantId: sandboxId, key, operation: 'messages.create', fields: body };
    const outcome = await this.idempotency.runInTransaction(command, (manager, { operationId }) =>
      this.messages.create(manager, { sandboxId, operationId, ...body }),
    );
    sendOutcome(reply, outcome);
  }
}
