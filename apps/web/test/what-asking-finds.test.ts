import { randomUUID } from 'node:crypto';
import type { Order, Payment, PaymentStatus, Refund } from '@pay-once/contracts';
import { createIntentStore } from '@pay-once/idempotency-client';
import { describe, expect, it } from 'vitest';
import { askForPayment } from '../src/checkout/payment.api';
import { askForRefund, refundSubject } from '../src/orders/refund.api';
import { startApi } from './api-server';

const intents = createIntentStore();
const amount = { amountMinor: 150_000_000, currency: 'IDR' } as const;
const { signal } = new AbortController();
const createdAt = '2026-08-01T00:00:00.000Z';

function payment(orderId: string, status: PaymentStatus, id: string = randomUUID()): Payment {
  return { id, orderId, status, ...amount, method: { type: 'card', card: 'card_declined' }, createdAt };
}

function refund({ id: paymentId }: Payment, status: PaymentStatus, amountMinor: number): Refund {
  return { id: randomUUID(), paymentId, status, amountMinor, currency: 'IDR', createdAt };
}

/** Serves one order, which the test goes on changing. */
async function serveOrder(): Promise<Order> {
  const order: Order = {
    ...{ id: randomUUID(), number: 'PO', status: 'unpaid', ...amount, createdAt },
    ...{ items: [], payments: [], refunds: [], tickets: [] },
  };
  await startApi((_request, response) => response.writeHead(200).end(JSON.stringify(order)));
  return order;
}

describe('asking for a payment', () => {
  it('finds the decline of the payment that the server named to this key', async () => {
    const order = await serveOrder();
    const declined = payment(order.id, 'declined');
    order.payments = [payment(order.id, 'declined'), declined];
    const asked = askForPayment(order.id)(signal, `/api/payments/${declined.id}`);
    expect(await asked).toMatchObject({
      kind: 'refused',
      problem: { code: 'card_declined', retry: 'new_key' },
    });
  });

  it.each([
    ['when the server has named none', null],
    ['when it has named another', '/api/payments/another'],
  ])(
    'takes no decline for its own %s, as another device may have paid meanwhile',
    async (_when, location) => {
      const order = await serveOrder();
      const ask = askForPayment(order.id);
      const processing = payment(order.id, 'processing');
      Object.assign(order, { status: 'paying', payments: [processing] });
      expect(await ask(signal, location)).toEqual({ kind: 'processing' });
      Object.assign(order, { status: 'unpaid', payments: [{ ...processing, status: 'declined' }] });
      expect(await ask(signal, location)).toEqual({ kind: 'absent' });
    },
  );

  it('is done when only a person can find out', async () => {
    const order = await serveOrder();
    const unconfirmed = payment(order.id, 'needs_review');
    Object.assign(order, { status: 'paying', payments: [unconfirmed] });
    expect(await askForPayment(order.id)(signal, null)).toEqual({ kind: 'final', answer: unconfirmed });
  });
});

describe('asking for a refund', () => {
  it('finds the one of its amount among those that were not there before', async () => {
    const order = await serveOrder();
    const paid = payment(order.id, 'succeeded');
    const body = JSON.stringify({ amountMinor: 200 });
    intents.begin(refundSubject(paid.id, 1), { operation: 'refunds.create', body });
    const ask = askForRefund(paid, 1);
    const [before, another, wanted] = [200, 300, 200].map((minor) => refund(paid, 'succeeded', minor));
    Object.assign(order, { refunds: [before, another] });
    expect(await ask(signal, null)).toEqual({ kind: 'absent' });
    Object.assign(order, { refunds: [before, another, wanted] });
    expect(await ask(signal, null)).toEqual({ kind: 'final', answer: wanted });
  });

  it('finds the refusal of the one that the server named to this key, and takes no other for its own', async () => {
    const order = await serveOrder();
    const paid = payment(order.id, 'succeeded');
    const body = JSON.stringify({ amountMinor: 200 });
    intents.begin(refundSubject(paid.id, 0), { operation: 'refunds.create', body });
    const ask = askForRefund(paid, 0);
    const processing = refund(paid, 'processing', 200);
    Object.assign(order, { refunds: [processing] });
    expect(await ask(signal, null)).toEqual({ kind: 'processing' });
    Object.assign(order, { refunds: [{ ...processing, status: 'declined' }] });
    expect(await ask(signal, null)).toEqual({ kind: 'absent' });
    expect(await ask(signal, `/api/refunds/${processing.id}`)).toMatchObject({
      kind: 'refused',
      problem: { code: 'card_declined' },
    });
  });
});
