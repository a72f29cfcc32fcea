import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Mail } from '@pay-once/contracts';
import { IdempotencyService, type Outcome } from '@pay-once/idempotency-server';
import { DataSource, MoreThan } from 'typeorm';
import { appendInTurn } from '../append-in-turn.js';
import { createdAnswer } from '../good-answer.js';
import type { Page } from '../page.js';
import { SHOP_TENANT } from '../shop-tenant.js';
import { MailEntity } from './mail.entity.js';

/** A mail that was sent, without its text. */
export interface SentMail {
  sequence: number;
  id: string;
  to: string;
  subject: string;
  createdAt: string;
}

@Injectable()
export class MailsService {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly dataSource: DataSource,
  ) {}

  send(key: string, mail: Mail): Promise<Outcome> {
    const command = { tenantId: SHOP_TENANT, key, operation: 'mails.create', fields: { ...mail } };
    return this.idempotency.runInTransaction(command, async (manager) => {
      await appendInTurn(manager, 'mails');
      const id = randomUUID();
      await manager.insert(MailEntity, { id, ...mail });
      return createdAnswer({ id });
    });
  }

  async list({ after, limit }: Page): Promise<{ mails: SentMail[] }> {
    const mails = await this.dataSource.manager.find(MailEntity, {
      where: { sequence: MoreThan(String(after)) },
      order: { sequence: 'ASC' },
      take: limit,
    });
    return {
      mails: mails.map(({ sequence, id, to, subject, createdAt }) => ({
        sequence: Number(sequence),
        id,
        to,
        subject,
        createdAt: createdAt.toISOString(),
      })),
    };
  }
}
