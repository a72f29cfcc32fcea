import { operationIdOf } from '@pay-once/idempotency-server';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { enqueue } from '../jobs/enqueue.js';

export const ticketJobSchema = z.object({ sandboxId: z.uuid(), orderId: z.uuid(), ticketId: z.uuid() });
export type TicketJob = z.infer<typeof ticketJobSchema>;

/**
 * Has the e-ticket of an order sent after the transaction that marks it paid, and only if that commits. One job an
 * order, whatever it is called with a second time. `ticketId` is the mail provider's key and the ticket's id.
 */
export async function enqueueTicket(
  manager: EntityManager,
  { sandboxId, orderId, ticketId }: TicketJob,
): Promise<void> {
  // Derived from the order, so that the queue, and the marks of processed jobs, know a second one.
  const id = operationIdOf(sandboxId, `e-ticket of ${orderId}`);
  await enqueue(manager, 'e-tickets', { id, data: { sandboxId, orderId, ticketId } });
}
