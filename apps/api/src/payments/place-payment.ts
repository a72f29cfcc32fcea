import type { EntityManager } from 'typeorm';
import { isCheckViolation, isUniqueViolation } from '../database-error.js';
import { SHOP_ACCOUNT, SHOPPER_ACCOUNT } from '../ledger/ledger.service.js';
import { ProblemError } from '../problem-error.js';
import type { PaymentEntity } from './payment.entity.js';

/**
 * The seats of one order, locked concert by concert in one order, so that two orders with the same concerts cannot
 * deadlock. Wants the sandbox as `$1` and the order as `$2`.
 */
const WANTED_SEATS = `
  wanted as (
    select concert_id, quantity from concert_seats join order_items using (sandbox_id, concert_id)
     where sandbox_id = $1 and order_id = $2
     order by concert_id for no key update of concert_seats
  )`;

/**
 * Takes the order's seats and inserts the payment: as `succeeded` with its charge of the balance, and the order is
 * paid; or as `processing`, and the order is being paid. All of it or, when a constraint refuses, nothing. Returns
 * when the payment was made. The order is locked.
 *
 * One statement, because a round trip is what a payment's time is made of.
 */
export async function placePayment(
  manager: EntityManager,
  payment: Omit<PaymentEntity, 'createdAt'>,
): Promise<Date> {
  const { sandboxId, orderId, id, status, amountMinor, currency, method, card, operationId } = payment;
  try {
    const rows: { created_at: Date }[] = await manager.query(
      `with ${WANTED_SEATS}, seats as (
         update concert_seats set seats_left = seats_left - wanted.quantity from wanted
          where sandbox_id = $1 and concert_seats.concert_id = wanted.concert_id
       ), payment as (
         insert into payments
                (sandbox_id, order_id, id, status, amount_minor, currency, method, card, operation_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning created_at
       ), charge as (
         insert into ledger_entries
                (sandbox_id, kind, payment_id, amount_minor, currency, credit_account, debit_account)
         select $1, 'charge', $3, $5, $6, $10, $11 where $4 = 'succeeded'
       ), marked as (
         update orders set status = case when $4 = 'succeeded' then 'paid' else 'paying' end
          where sandbox_id = $1 and id = $2
       )
       select created_at from payment`,
      [
        sandboxId,
        orderId,
        id,
        status,
        amountMinor,
        currency,
        method,
        card,
        operationId,
        SHOPPER_ACCOUNT,
        SHOP_ACCOUNT,
      ],
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

/** Gives the order's seats back: its payment was declined. */
export async function giveSeatsBack(
  manager: EntityManager,
  { sandboxId, orderId }: Pick<PaymentEntity, 'sandboxId' | 'orderId'>,
): Promise<void> {
  await manager.query(
    `with ${WANTED_SEATS}
     update concert_seats set seats_left = seats_left + wanted.quantity from wanted
      where sandbox_id = $1 and concert_seats.concert_id = wanted.concert_id`,
    [sandboxId, orderId],
  );
}
