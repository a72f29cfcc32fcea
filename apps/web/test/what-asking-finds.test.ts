import { randomUUID } from 'node:crypto';
import type { Order, Payment, PaymentStatus, Refund } from '@pay-once/contracts';
import { createIntentStore } from '@pay-once/idempotency-client';
import { describe, expect, it } from 'vitest';
import { createPaymentAsk } from '../src/checkout/payment.api';
import { createRefundAsk, refundSubject } from '../src/orders/refund.api';
import { paymentSubject } from '../src/orders/unfinished-payment';
import { startApi } from './api-server';

const intents = createIntentStore();
const amount = { amountMinor: 150_000_000, currency: 'IDR' } as const;
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
  const begin = (order: Order) =>
    intents.begin(paymentSubject(order.id), { operation: 'payments.create', body: '{}' }).intent.key;

  it('finds the decline of a payment that was seen being processed', async () => {
    const order = await serveOrder();
    const ask = createPaymentAsk(order.id);
    begin(order);
    const processing = payment(order.id, 'processing');
    Object.assign(order, { status: 'paying', payments: [processing] });
    expect(await ask()).toEqual({ kind: 'processing' });
    Object.assign(order, { status: 'unpaid', payments: [{ ...processing, status: 'declined' }] });
    expect(await ask()).toMatchObject({
      kind: 'refused',
      problem: { code: 'card_declined', retry: 'new_key' },
    });
  });

  it('takes a decline of before for nothing', async () => {
    const order = await serveOrder();
    begin(order);
    order.payments = [payment(order.id, 'declined')];
    expect(await createPaymentAsk(order.id)()).toEqual({ kind: 'absent' });
  });

  it('does not take the decline of one key for that of the next', async () => {
    const order = await serveOrder();
    const ask = createPaymentAsk(order.id);
    const key = begin(order);
    const processing = payment(order.id, 'processing');
    Object.assign(order, { status: 'paying', payments: [processing] });
    await ask();
    Object.assign(order, { status: 'unpaid', payments: [{ ...processing, status: 'declined' }] });
    intents.finish(paymentSubject(order.id), key);
    begin(order);
    expect(await ask()).toEqual({ kind: 'absent' });
  });

  it('is done when only a person can find out', async () => {
    const order = await serveOrder();
    const unconfirmed = payment(order.id, 'needs_review');
    Object.assign(order, { status: 'paying', payments: [unconfirmed] });
    expect(await createPaymentAsk(order.id)()).toEqual({ kind: 'final', answer: unconfirmed });
  });
});

describe('asking for a refund', () => {
  it('finds the one of its amount among those that were not there before', async () => {
    const order = await serveOrder();
    const paid = payment(order.id, 'succeeded');
    const body = JSON.stringify({ amountMinor: 200 });
    intents.begin(refundSubject(paid.id, 1), { operation: 'refunds.create', body });
    const ask = createRefundAsk(paid, 1);
    const [before, another, wanted] = [200, 300, 200].map((minor) => refund(paid, 'succeeded', minor));
    Object.assign(order, { refunds: [before, another] });
    expect(await ask()).toEqual({ kind: 'absent' });
    Object.assign(order, { refunds: [before, another, wanted] });
    expect(await ask()).toEqual({ kind: 'final', answer: wanted });
  });

  it('finds the refusal of one that was seen being made', async () => {
    const order = await serveOrder();
    const paid = payment(order.id, 'succeeded');
    const body = JSON.stringify({ amountMinor: 200 });
    intents.begin(refundSubject(paid.id, 0), { operation: 'refunds.create', body });
    const ask = createRefundAsk(paid, 0);
    const processing = refund(paid, 'processing', 200);
    Object.assign(order, { refunds: [processing] });
    expect(await ask()).toEqual({ kind: 'processing' });
    Object.assign(order, { refunds: [{ ...processing, status: 'declined' }] });
    expect(await ask()).toMatchObject({ kind: 'refused', problem: { code: 'card_declined' } });
  });
});
