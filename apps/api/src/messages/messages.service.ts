import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CreateMessage, Message } from '@pay-once/contracts';
import type { Answer } from '@pay-once/idempotency-server';
import type { EntityManager } from 'typeorm';
import { enqueue } from '../jobs/enqueue.js';
import { jsonAnswer } from '../keyed-reply.js';
import type { MessageJob } from './message-mail.handler.js';

interface SendCommand extends CreateMessage {
  sandboxId: string;
  operationId: string;
}

@Injectable()
export class MessagesService {
  /**
   * Stores a message of the contact form and has it sent by mail. Runs inside the keyed transaction: message, job
   * and answer are there together, or none of them.
   */
  async create(manager: EntityManager, command: SendCommand): Promise<Answer> {
    const { sandboxId, operationId, name, email, text } = command;
    const id = randomUUID();
    const rows: { created_at: Date }[] = await manager.query(
      `insert into messages (id, sandbox_id, name, email, text) values ($1, $2, $3, $4, $5) returning created_at`,
      [id, sandboxId, name, email, text],
    );
    const [inserted] = rows;
    if (inserted === undefined) throw new Error('The message was not inserted.');
    const data: MessageJob = { messageId: id, operationId };
    await enqueue(manager, 'messages', { id, data });
    const message: Message = { id, createdAt: inserted.created_at.toISOString() };
    return jsonAnswer(201, message);
  }
}
