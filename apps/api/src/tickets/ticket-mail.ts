import type { Mail } from '@pay-once/contracts';
import type { TicketJob } from './enqueue-ticket.js';

export interface TicketItem {
  title: string;
  quantity: number;
}

/**
 * The mail with the e-ticket, in both languages, because a sandbox has none. Made of nothing that can change, so
 * that every delivery asks for the same mail. A shopper has no address: each sandbox has one that cannot exist.
 */
export function ticketMail({ sandboxId, orderId, ticketId }: TicketJob, items: TicketItem[]): Mail {
  const seats = items.map(({ title, quantity }) => `  ${quantity} × ${title}`);
  return {
    to: `shopper@${sandboxId}.pay-once.invalid`,
    subject: 'Your e-ticket · E-tiket Anda',
    text: [
      'Your order is paid. This is your e-ticket.',
      'Pesanan Anda sudah dibayar. Ini e-tiket Anda.',
      '',
      ...seats,
      '',
      `E-ticket · E-tiket: ${ticketId}`,
      `Order · Pesanan: ${orderId}`,
    ].join('\n'),
  };
}
