import { Injectable } from '@nestjs/common';
import type { authoriseSchema, CardOperation, CardOperations, cardRefundSchema } from '@pay-once/contracts';
import { IdempotencyService, type Outcome } from '@pay-once/idempotency-server';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import type { z } from 'zod';
import { appendInTurn } from '../append-in-turn.js';
import type { Applied } from '../faults/answer-with-fault.js';
import { createdAnswer } from '../good-answer.js';
import type { Page } from '../page.js';
import { SHOP_TENANT } from '../shop-tenant.js';
import { OperationEntity } from './operation.entity.js';

export type Authorise = z.infer<typeof authoriseSchema>;
export type CardRefund = z.infer<typeof cardRefundSchema>;

@Injectable()
export class OperationsService {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly dataSource: DataSource,
  ) {}

  authorise(key: string, fields: Authorise, how: Applied): Promise<Outcome> {
    const command = { tenantId: SHOP_TENANT, key, operation: 'authorisations.create', fields };
    return this.idempotency.runInTransaction(command, async (manager) => {
      await appendInTurn(manager, 'operations');
      const { reference, amountMinor, currency } = fields;
      const asked = { reference, kind: 'authorisation', status: 'approved', amountMinor, currency } as const;
      return createdAnswer(await append(manager, alter(asked, how), null));
    });
  }

  /** Declined when more would be given back than was taken. */
  refund(key: string, fields: CardRefund, how: Applied): Promise<Outcome> {
    const command = { tenantId: SHOP_TENANT, key, operation: 'refunds.create', fields };
    return this.idempotency.runInTransaction(command, async (manager) => {
      await appendInTurn(manager, 'operations');
      const { reference, authorisation, amountMinor, currency } = fields;
      const status = (await leftOf(manager, fields)) < amountMinor ? 'declined' : 'approved';
      const asked = { reference, kind: 'refund', status, amountMinor, currency } as const;
      return createdAnswer(await append(manager, alter(asked, how), authorisation));
    });
  }

  /** What was done under this reference, or null. When it was asked for twice and once approved, that. */
  async find(reference: string): Promise<CardOperation | null> {
    const operation = await this.dataSource.manager.findOne(OperationEntity, {
      where: { reference },
      order: { status: 'ASC', sequence: 'ASC' },
    });
    return operation && toCardOperation(operation);
  }

  async list({ after, limit }: Page): Promise<CardOperations> {
    const operations = await this.dataSource.manager.find(OperationEntity, {
      where: { sequence: MoreThan(String(after)) },
      order: { sequence: 'ASC' },
      take: limit,
    });
    return {
      operations: operations.map((operation) => ({
        sequence: Number(operation.sequence),
        ...toCardOperation(operation),
        authorisation: operation.authorisation,
        createdAt: operation.createdAt.toISOString(),
      })),
    };
  }
}

/** What is done in place of what was asked, for a fault that alters it. */
function alter(asked: CardOperation, how: Applied): CardOperation {
  switch (how) {
    case 'applied':
      return asked;
    case 'declined':
      return { ...asked, status: 'declined' };
    case 'other_amount':
      return { ...asked, amountMinor: asked.amountMinor === 1 ? 2 : asked.amountMinor - 1 };
    case 'other_currency':
      return { ...asked, currency: asked.currency === 'USD' ? 'IDR' : 'USD' };
  }
}

async function append(
  manager: EntityManager,
  operation: CardOperation,
  authorisation: string | null,
): Promise<CardOperation> {
  await manager.insert(OperationEntity, { ...operation, authorisation });
  return operation;
}

/** What of an authorisation has not been given back, in minor units. */
async function leftOf(manager: EntityManager, { authorisation, currency }: CardRefund): Promise<number> {
  const [sum]: { left: string }[] = await manager.query(
    `select coalesce(sum(case kind when 'authorisation' then amount_minor else -amount_minor end), 0) as left
       from operations
      where coalesce(authorisation, reference) = $1 and currency = $2 and status = 'approved'`,
    [authorisation, currency],
  );
  return Number(sum?.left ?? 0);
}

function toCardOperation({ reference, kind, status, amountMinor, currency }: OperationEntity): CardOperation {
  return { reference, kind, status, amountMinor, currency };
}
