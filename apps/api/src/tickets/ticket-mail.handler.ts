import type { DataSource, EntityManager } from 'typeorm';
import type { JobHandler } from '../jobs/job-handler.js';
import type { MailProviderClient } from '../mail-provider.client.js';
import { type TicketJob, ticketJobSchema } from './enqueue-ticket.js';
import { type TicketItem, ticketMail } from './ticket-mail.js';

/** Sends the e-ticket of a paid order by mail, and issues it. */
export class TicketMailHandler implements JobHandler<TicketJob> {
  readonly dataSchema = ticketJobSchema;

  constructor(
    private readonly dataSource: DataSource,
    private readonly mail: MailProviderClient,
  ) {}

  async askOutside(job: TicketJob): Promise<void> {
    const order = await this.findOrder(job);
    if (order === undefined) throw new Error('There is no such paid order.');
    // Another job was there first, and its mail is the order's one mail.
    if (order.hasTicket) return;
    await this.mail.send(ticketMail(job, order.items), job.ticketId);
  }

  async record(manager: EntityManager, { sandboxId, orderId, ticketId }: TicketJob): Promise<void> {
    await manager.query(
      `insert into tickets (id, sandbox_id, order_id) values ($1, $2, $3)
       on conflict on constraint tickets_one_per_order do nothing`,
      [ticketId, sandboxId, orderId],
    );
  }

  private async findOrder({
    sandboxId,
    orderId,
  }: TicketJob): Promise<{ items: TicketItem[]; hasTicket: boolean } | undefined> {
    const rows: { items: TicketItem[]; hasTicket: boolean }[] = await this.dataSource.query(
      `select (select json_agg(json_build_object('title', title, 'quantity', quantity) order by title, concert_id)
                 from order_items where sandbox_id = $1 and order_id = $2) as items,
              exists (select from tickets where sandbox_id = $1 and order_id = $2) as "hasTicket"
         from orders where sandbox_id = $1 and id = $2 and status = 'paid'`,
      [sandboxId, orderId],
    );
    return rows[0];
  }
}
