import { randomUUID } from 'node:crypto';
import { type Order, paymentSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { useShop } from './shop.js';
import type { Shopper } from './shopper.js';

const shop = useShop();

function paymentOf(reply: Reply): { id: string } {
  expect(reply.status).toBe(201);
  return paymentSchema.parse(JSON.parse(reply.text));
}

/** Moves the end of every record's retention into the past, by the database's clock. */
async function expireRecords({ sandboxId }: Shopper): Promise<void> {
  await shop.sql(
    `update idempotency_records set expires_at = clock_timestamp() - interval '1 second' where tenant_id = $1`,
    [sandboxId],
  );
}

describe('another key on a paid order', () => {
  it('is told of the payment, charges nothing, and stays unused', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const firstKey = randomUUID();
    const payment = paymentOf(await shopper.pay(order, { key: firstKey }));
    const before = await shop.recorded(shopper);

    const otherKey = randomUUID();
    const refused = await shopper.pay(order, { key: otherKey });
    expect(expectProblem(refused, 'order_already_paid').paymentId).toBe(payment.id);
    expect(refused.headers['link']).toContain(`</api/payments/${payment.id}>`);
    expect(refused.headers).not.toHaveProperty('idempotency-expires');
    expect(await shop.recorded(shopper)).toEqual(before);

    // Unused: the key may still be another order's.
    const next = await shopper.pay(await shopper.order(), { key: otherKey });
    paymentOf(next);
    expect(next.headers).not.toHaveProperty('idempotent-replayed');
  });
});

describe('30 keys at once on one order', () => {
  it('charge it once', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const keys = Array.from({ length: 30 }, () => randomUUID());
    const replies = await Promise.all(keys.map((key) => shopper.pay(order, { key })));

    const paid = replies.filter(({ status }) => status === 201);
    expect(paid).toHaveLength(1);
    for (const reply of replies) {
      if (reply.status === 201) continue;
      if (reply.text.includes('order_being_paid')) {
        expectProblem(reply, 'order_being_paid');
        expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      } else expectProblem(reply, 'order_already_paid');
    }
    const winner = keys[replies.findIndex(({ status }) => status === 201)];
    expect(await shop.recorded(shopper)).toMatchObject({
      balanceMinor: 1_000_000_000 - order.amountMinor,
      charges: 1,
      payments: ['succeeded'],
      keys: [winner],
    });
  });
});

describe('another key while the order is being paid', () => {
  it('is told so at once and stays unused', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const held = shop.holdNextPayment();
    const owner = shopper.pay(order, { key: randomUUID() });
    await held;
    const otherKey = randomUUID();
    const refusal = shopper.pay(order, { key: otherKey });
    expect(await shop.mostWaitingDuring(refusal)).toBe(0);
    const refused = await refusal;
    expectProblem(refused, 'order_being_paid');
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    shop.letGo();
    paymentOf(await owner);
    expect((await shop.recorded(shopper)).keys).not.toContain(otherKey);
    expectProblem(await shopper.pay(order, { key: otherKey }), 'order_already_paid');
  });
});

describe('a key after its retention', () => {
  it('is a new command, and the paid order refuses it', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const payment = paymentOf(await shopper.pay(order, { key }));
    await expireRecords(shopper);
    const before = await shop.recorded(shopper);
    const late = await shopper.pay(order, { key });
    expect(expectProblem(late, 'order_already_paid').paymentId).toBe(payment.id);
    expect(await shop.recorded(shopper)).toEqual(before);
  });

  it('charges nothing either once its record has been swept', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    paymentOf(await shopper.pay(order, { key }));
    await shop.sql('delete from idempotency_records where tenant_id = $1', [shopper.sandboxId]);
    expectProblem(await shopper.pay(order, { key }), 'order_already_paid');
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, payments: ['succeeded'], keys: [] });
  });

  it('pays another order, once, as any unused key does', async () => {
    const shopper = await shop.newShopper();
    const key = randomUUID();
    paymentOf(await shopper.pay(await shopper.order(), { key }));
    await expireRecords(shopper);
    const next = await shopper.order();
    const replies = await Promise.all(Array.from({ length: 10 }, () => shopper.pay(next, { key })));
    expect(replies.filter((reply) => isFirst(reply))).toHaveLength(1);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 2, ordersPaid: 2, keys: [key] });
  });
});

function isFirst({ status, headers }: Reply): boolean {
  return status === 201 && headers['idempotent-replayed'] === undefined;
}

describe('the index', () => {
  const insertPayment = ({ sandboxId }: Shopper, { id }: Order, status: string): Promise<object[]> =>
    shop.sql(
      `insert into payments (id, sandbox_id, order_id, status, amount_minor, currency, method, review_reason)
       values (gen_random_uuid(), $1, $2, $3, 1, 'IDR', 'balance', case when $3 = 'needs_review' then 'a test' end)`,
      [sandboxId, id, status],
    );

  it.each(['processing', 'succeeded', 'needs_review'])(
    'refuses a payment that is %s beside one that succeeded',
    async (status) => {
      const shopper = await shop.newShopper();
      const order = await shopper.order();
      paymentOf(await shopper.pay(order, { key: randomUUID() }));
      await expect(insertPayment(shopper, order, status)).rejects.toThrow('payments_one_per_order');
    },
  );

  it('holds alone when the order forgets that it is paid', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    paymentOf(await shopper.pay(order, { key: randomUUID() }));
    await shop.sql(`update orders set status = 'unpaid' where sandbox_id = $1`, [shopper.sandboxId]);
    const before = await shop.recorded(shopper);
    expectProblem(await shopper.pay(order, { key: randomUUID() }), 'order_already_paid');
    expect(await shop.recorded(shopper)).toEqual(before);
  });

  it('lets a declined payment be followed by one that succeeds', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    await insertPayment(shopper, order, 'declined');
    paymentOf(await shopper.pay(order, { key: randomUUID() }));
  });
});
