import type { PaymentEntity } from './payment.entity.js';

export type CardResult = 'approved' | 'declined';

const TIMEOUT_MS = 10_000;

/** Undefined unless the network has given a definite answer: a lost reply is no failure. */
export async function askCardNetwork(
  { id, amountMinor }: PaymentEntity,
  leaseOver: AbortSignal,
): Promise<CardResult | undefined> {
  try {
    const reply = await fetch(`${process.env['CARD_NETWORK_URL']}/authorisations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ amountMinor }),
      signal: AbortSignal.any([leaseOver, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const { status } = (await reply.json()) as { status?: unknown };
    return reply.ok && (status === 'approved' || status === 'declined') ? status : undefined;
  } catch {
    return undefined;
  }
}
