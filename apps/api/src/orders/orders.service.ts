import { Injectable } from '@nestjs/common';
import type { Currency, Money, Order, OrderStatus, PutOrder } from '@pay-once/contracts';
import { AMOUNT_MINOR_MAX } from '@pay-once/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { isLockNotAvailable } from '../database-error.js';
import { notFound, requireId } from '../path-id.pipe.js';
import { ProblemError } from '../problem-error.js';
import { inShortTransaction } from '../short-transaction.js';
import { OrderEntity } from './order.entity.js';
import { OrderItemEntity } from './order-item.entity.js';
import { findOrder, findOrders } from './order-view.js';

/** Names the order of a payment. */
interface OrderOf {
  sandboxId: string;
  orderId: string;
}

@Injectable()
export class OrdersService {
  constructor(private readonly dataSource: DataSource) {}

  async list(sandboxId: string): Promise<Order[]> {
    return findOrders(this.dataSource.manager, sandboxId);
  }

  async show(sandboxId: string, orderId: string): Promise<Order> {
    requireId(orderId);
    const order = await findOrder(this.dataSource.manager, sandboxId, orderId);
    if (order === undefined) throw notFound();
    return order;
  }

  /**
   * Makes the order under the client's id, or finds it made already with the same items. Titles and prices are
   * copied now; what the catalogue says later does not touch an order.
   */
  async put(sandboxId: string, orderId: string, items: PutOrder['items']): Promise<'created' | 'unchanged'> {
    return inShortTransaction(this.dataSource, async (manager) => {
      // A snapshot: whether an order that is there could still be made is not asked again.
      if (await manager.existsBy(OrderEntity, { sandboxId, id: orderId })) {
        return this.requireSameItems(manager, sandboxId, orderId, items);
      }
      const priced = await this.price(manager, items);
      const amountMinor = priced.reduce((sum, item) => sum + item.amountMinor * item.quantity, 0);
      const currency = priced[0]?.currency ?? 'IDR';
      if (amountMinor > AMOUNT_MINOR_MAX)
        throw new ProblemError('request_invalid', 'The order costs too much.');

      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(OrderEntity)
        .values({ sandboxId, id: orderId, status: 'unpaid', amountMinor, currency })
        .orIgnore()
        .returning('id')
        .execute();
      if ((inserted.raw as unknown[]).length === 0) {
        return this.requireSameItems(manager, sandboxId, orderId, items);
      }
      await manager.insert(
        OrderItemEntity,
        priced.map((item) => ({ sandboxId, orderId, ...item })),
      );
      return 'created';
    });
  }

  /**
   * Locks the order for the payment that is about to be made and checks that it can be. Refuses at once when
   * someone else holds it: waiting would hold a pooled connection.
   */
  async lockForPayment(
    manager: EntityManager,
    sandboxId: string,
    orderId: string,
    shown: Money,
  ): Promise<void> {
    requireId(orderId);
    const order = await manager
      .findOne(OrderEntity, {
        where: { sandboxId, id: orderId },
        lock: { mode: 'for_no_key_update', onLocked: 'nowait' },
      })
      .catch((error: unknown) => {
        throw isLockNotAvailable(error) ? beingPaid() : error;
      });
    if (order === null) throw notFound();
    if (order.status === 'paying') throw beingPaid();
    if (order.status === 'paid') throw await this.alreadyPaid(manager, sandboxId, orderId);
    if (order.amountMinor !== shown.amountMinor || order.currency !== shown.currency) {
      throw new ProblemError('amount_mismatch', 'The order costs something else. Nothing was charged.');
    }
  }

  /** Locks the order of a payment that is about to be settled. Waits its turn: nobody holds it for long. */
  async lockForSettling(manager: EntityManager, { sandboxId, orderId }: OrderOf): Promise<void> {
    const lock = { mode: 'for_no_key_update' } as const;
    await manager.findOneOrFail(OrderEntity, { where: { sandboxId, id: orderId }, lock });
  }

  async mark(manager: EntityManager, { sandboxId, orderId }: OrderOf, status: OrderStatus): Promise<void> {
    await manager.update(OrderEntity, { sandboxId, id: orderId }, { status });
  }

  async requireOrder(sandboxId: string, orderId: string): Promise<void> {
    requireId(orderId);
    const known = await this.dataSource.manager.existsBy(OrderEntity, { sandboxId, id: orderId });
    if (!known) throw notFound();
  }

  private async price(
    manager: EntityManager,
    items: PutOrder['items'],
  ): Promise<(PutOrder['items'][number] & Money & { title: string })[]> {
    const rows: { id: string; title: string; amount_minor: string; currency: Currency }[] =
      await manager.query('select id, title, amount_minor, currency from concerts where id = any($1)', [
        items.map((item) => item.concertId),
      ]);
    return items.map((item) => {
      const concert = rows.find((row) => row.id === item.concertId);
      if (concert === undefined)
        throw new ProblemError('request_invalid', 'An item names no concert of this shop.');
      const { title, currency } = concert;
      return { ...item, title, amountMinor: Number(concert.amount_minor), currency };
    });
  }

  private async requireSameItems(
    manager: EntityManager,
    sandboxId: string,
    orderId: string,
    items: PutOrder['items'],
  ): Promise<'unchanged'> {
    const stored = await manager.findBy(OrderItemEntity, { sandboxId, orderId });
    const same =
      stored.length === items.length &&
      items.every((item) =>
        stored.some((other) => other.concertId === item.concertId && other.quantity === item.quantity),
      );
    if (!same)
      throw new ProblemError('order_conflict', 'This order exists with other items. It was not changed.');
    return 'unchanged';
  }

  private async alreadyPaid(
    manager: EntityManager,
    sandboxId: string,
    orderId: string,
  ): Promise<ProblemError> {
    const order = await findOrder(manager, sandboxId, orderId);
    const paymentId = order?.payments.find((payment) => payment.status === 'succeeded')?.id;
    return new ProblemError(
      'order_already_paid',
      'This order was paid before. Nothing was charged now.',
      paymentId === undefined ? {} : { paymentId },
    );
  }
}

function beingPaid(): ProblemError {
  return new ProblemError(
    'order_being_paid',
    'Another payment of this order is under way. Nothing was charged now.',
    {
      retryAfterSeconds: 1,
    },
  );
}
