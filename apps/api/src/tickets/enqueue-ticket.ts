import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { enqueue } from '../jobs/enqueue.js';

export const ticketJobSchema = z.object({ sandboxId: z.uuid(), orderId: z.uuid(), ticketId: z.uuid() });
export type TicketJob = z.infer<typeof ticketJobSchema>;

/**
 * Has the e-ticket of an order sent after the transaction that marks it paid, and only if that commits. The ticket's
 * id is the mail provider's key, so make it once per order: it must not change when the order is settled again.
 */
export async function enqueueTicket(manager: EntityManager, job: TicketJob): Promise<void> {
  const { sandboxId, orderId, ticketId } = job;
  await enqueue(manager, 'e-tickets', {
    id: ticketId,
    singletonKey: `${sandboxId}/${orderId}`,
    data: { sandboxId, orderId, ticketId },
  });
}
