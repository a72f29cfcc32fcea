import type { EntityManager } from 'typeorm';
import { isCheckViolation, isUniqueViolation } from '../database-error.js';
import { SHOP_ACCOUNT, SHOPPER_ACCOUNT } from '../ledger/ledger.service.js';
import { ProblemError } from '../problem-error.js';
import type { PaymentEntity } from './payment.entity.js';

/**
 * Takes the order's seats, inserts the payment and its charge, and marks the order paid: all of it or, when a
 * constraint refuses, nothing. Returns when the payment was made. The order is locked and the balance debited.
 *
 * One statement, because a round trip is what a payment's time is made of. Seats are locked concert by concert
 * in one order, so that two orders with the same concerts cannot deadlock.
 */
export async function settleFromBalance(
  manager: EntityManager,
  payment: Omit<PaymentEntity, 'status' | 'createdAt'>,
): Promise<Date> {
  const { id, sandboxId, orderId, amountMinor, currency, method } = payment;
  try {
    const rows: { created_at: Date }[] = await manager.query(
      `with wanted as (
         select concert_id, quantity from concert_seats join order_items using (sandbox_id, concert_id)
          where sandbox_id = $2 and order_id = $3
          order by concert_id for no key update of concert_seats
       ), seats as (
         update concert_seats set seats_left = seats_left - wanted.quantity from wanted
          where sandbox_id = $2 and concert_seats.concert_id = wanted.concert_id
       ), payment as (
         insert into payments (id, sandbox_id, order_id, status, amount_minor, currency, method)
         values ($1, $2, $3, 'succeeded', $4, $5, $6) returning created_at
       ), charge as (
         insert into ledger_entries
                (sandbox_id, kind, payment_id, amount_minor, currency, credit_account, debit_account)
         values ($2, 'charge', $1, $4, $5, $7, $8)
       ), paid as (
         update orders set status = 'paid' where sandbox_id = $2 and id = $3
       )
       select created_at from payment`,
      [id, sandboxId, orderId, amountMinor, currency, method, SHOPPER_ACCOUNT, SHOP_ACCOUNT],
    );
    const [inserted] = rows;
    if (inserted === undefined) throw new Error('The payment was not inserted.');
    return inserted.created_at;
  } catch (error) {
    if (isCheckViolation(error, 'concert_seats_never_oversold')) {
      throw new ProblemError(
        'sold_out',
        'There are fewer seats left than the order needs. Nothing was charged.',
      );
    }
    // The order row said unpaid; the index outlives every key and is the last word.
    if (isUniqueViolation(error, 'payments_one_per_order')) {
      throw new ProblemError('order_already_paid', 'This order was paid before. Nothing was charged now.');
    }
    throw error;
  }
}
