import type { Currency, Order, OrderStatus } from '@pay-once/contracts';
import type { EntityManager } from 'typeorm';

interface OrderRow extends Omit<Order, 'number' | 'amountMinor' | 'createdAt'> {
  amount_minor: string;
  currency: Currency;
  status: OrderStatus;
  created_at: Date;
}

// An instant as the contract writes it, also inside the JSON that Postgres makes.
const instant = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const ORDERS = `
  select o.id, o.status, o.amount_minor, o.currency, o.created_at,
    coalesce((
      select json_agg(json_build_object('concertId', concert_id, 'title', title, 'quantity', quantity,
                        'amountMinor', amount_minor, 'currency', currency) order by title)
        from order_items where sandbox_id = o.sandbox_id and order_id = o.id), '[]') as items,
    coalesce((
      select json_agg(json_build_object('id', id, 'orderId', order_id, 'status', status,
                        'amountMinor', amount_minor, 'currency', currency,
                        'method', json_strip_nulls(json_build_object('type', method, 'card', card)),
                        'createdAt', ${instant('created_at')}) order by payments.created_at)
        from payments where sandbox_id = o.sandbox_id and order_id = o.id), '[]') as payments,
    coalesce((
      select json_agg(json_build_object('id', r.id, 'paymentId', payment_id, 'status', r.status,
                        'amountMinor', r.amount_minor, 'currency', r.currency,
                        'createdAt', ${instant('r.created_at')}) order by r.created_at)
        from refunds r join payments p on p.id = payment_id
       where p.sandbox_id = o.sandbox_id and p.order_id = o.id), '[]') as refunds,
    coalesce((
      select json_agg(json_build_object('id', id, 'issuedAt', ${instant('issued_at')}) order by tickets.issued_at)
        from tickets where sandbox_id = o.sandbox_id and order_id = o.id), '[]') as tickets
  from orders o where o.sandbox_id = $1`;

/** The sandbox's orders with all that happened to them, newest first. */
export async function findOrders(manager: EntityManager, sandboxId: string): Promise<Order[]> {
  const rows: OrderRow[] = await manager.query(`${ORDERS} order by o.created_at desc`, [sandboxId]);
  return rows.map(toOrder);
}

export async function findOrder(
  manager: EntityManager,
  sandboxId: string,
  orderId: string,
): Promise<Order | undefined> {
  const rows: OrderRow[] = await manager.query(`${ORDERS} and o.id = $2`, [sandboxId, orderId]);
  return rows[0] && toOrder(rows[0]);
}

function toOrder(row: OrderRow): Order {
  return {
    id: row.id,
    number: orderNumber(row.id),
    status: row.status,
    amountMinor: Number(row.amount_minor),
    currency: row.currency,
    createdAt: row.created_at.toISOString(),
    items: row.items,
    payments: row.payments,
    refunds: row.refunds,
    tickets: row.tickets,
  };
}

/** What a person reads out on the telephone. Taken from the id: a sequence would tell how much the shop sells. */
function orderNumber(orderId: string): string {
  return `PO-${orderId.slice(0, 4)}-${orderId.slice(4, 8)}`.toUpperCase();
}
