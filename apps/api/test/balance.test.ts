import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { useShop } from './shop.js';
import type { Shopper } from './shopper.js';

const shop = useShop();

const OPENING_BALANCE = 1_000_000_000;

async function entries({ sandboxId }: Shopper): Promise<object[]> {
  return shop.sql(
    'select kind, amount_minor::float as "amountMinor" from ledger_entries where sandbox_id = $1 order by created_at',
    [sandboxId],
  );
}

describe('setting the balance', () => {
  it('sets it and enters the difference, once however often it is sent', async () => {
    const shopper = await shop.newShopper();
    const opening = { kind: 'funding', amountMinor: OPENING_BALANCE };
    expect(await entries(shopper)).toEqual([opening]);
    const more = { kind: 'funding', amountMinor: 500 };
    const less = { kind: 'withdrawal', amountMinor: OPENING_BALANCE + 500 };
    for (const [amountMinor, expected] of [
      [OPENING_BALANCE + 500, [opening, more]],
      [0, [opening, more, less]],
    ] as const) {
      for (let time = 1; time <= 3; time++) {
        const reply = await shopper.setBalance(amountMinor);
        expect(reply.status).toBe(200);
        expect(JSON.parse(reply.text)).toEqual({
          id: shopper.sandboxId,
          balance: { amountMinor, currency: 'IDR' },
        });
      }
      expect(await entries(shopper)).toEqual(expected);
      expect(await shop.recorded(shopper)).toMatchObject({
        balanceMinor: amountMinor,
        booksMinor: amountMinor,
      });
    }
  });

  it.each([0, 1, 10 ** 13])('takes %d', async (amountMinor) => {
    const shopper = await shop.newShopper();
    expect((await shopper.setBalance(amountMinor)).status).toBe(200);
    expect((await shop.recorded(shopper)).balanceMinor).toBe(amountMinor);
  });

  it.each([-1, 0.5, 10 ** 13 + 1, '1', null])('refuses %j and changes nothing', async (amountMinor) => {
    const shopper = await shop.newShopper();
    const reply = await shopper.send('PUT', '/api/sandbox/balance', { body: { amountMinor } });
    expectProblem(reply, 'request_invalid');
    expect(await entries(shopper)).toHaveLength(1);
    expect((await shop.recorded(shopper)).balanceMinor).toBe(OPENING_BALANCE);
  });

  it('keeps the books equal to the balance while payments run', async () => {
    const shopper = await shop.newShopper();
    const orders = await Promise.all(Array.from({ length: 10 }, () => shopper.order()));
    const amounts = Array.from({ length: 10 }, (_, index) => index * 100_000_000);
    const replies = await Promise.all([
      ...orders.map((order) => shopper.pay(order, { key: randomUUID() })),
      ...amounts.map((amountMinor) => shopper.setBalance(amountMinor)),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 201, 402].includes(status))).toEqual([]);
    const { balanceMinor, booksMinor, charges } = await shop.recorded(shopper);
    expect(booksMinor).toBe(balanceMinor);
    expect(charges).toBe(statuses.filter((status) => status === 201).length);
  });
});

describe('a balance that is not enough', () => {
  it('declines, keeps the attempt on record, and takes nothing', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    await shopper.setBalance(order.amountMinor - 1);
    const key = randomUUID();
    const reply = await shopper.pay(order, { key });
    expect(expectProblem(reply, 'balance_insufficient').retry).toBe('new_key');
    expect(reply.headers).toHaveProperty('idempotency-expires');
    expect(reply.headers).not.toHaveProperty('idempotent-replayed');
    expect(reply.headers).not.toHaveProperty('location');
    expect(await shop.recorded(shopper)).toEqual({
      balanceMinor: order.amountMinor - 1,
      booksMinor: order.amountMinor - 1,
      charges: 0,
      chargedMinor: 0,
      payments: ['declined'],
      ordersPaid: 0,
      keys: [key],
    });
    const shown = await shopper.show(order);
    expect(shown).toMatchObject({ status: 'unpaid', payments: [{ status: 'declined' }] });
  });

  it('replays the decline under the same key after a top-up, and pays under a new one', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    await shopper.setBalance(0);
    const key = randomUUID();
    const declined = await shopper.pay(order, { key });
    await shopper.setBalance(order.amountMinor);

    const again = await shopper.pay(order, { key });
    expect(again.status).toBe(402);
    expect(again.body).toEqual(declined.body);
    expect(again.headers['content-type']).toBe(declined.headers['content-type']);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['idempotency-expires']).toBe(declined.headers['idempotency-expires']);
    expect(again.headers['x-request-id']).not.toBe(declined.headers['x-request-id']);
    expect((await shop.recorded(shopper)).payments).toEqual(['declined']);

    expect((await shopper.pay(order, { key: randomUUID() })).status).toBe(201);
    expect(await shop.recorded(shopper)).toMatchObject({
      balanceMinor: 0,
      charges: 1,
      payments: ['declined', 'succeeded'],
      ordersPaid: 1,
    });
  });

  it('is spent to the last unit by as many orders as it pays for', async () => {
    const shopper = await shop.newShopper();
    const orders = await Promise.all(Array.from({ length: 8 }, () => shopper.order()));
    const [{ amountMinor } = { amountMinor: 0 }] = orders;
    await shopper.setBalance(3 * amountMinor);
    const replies = await Promise.all(orders.map((order) => shopper.pay(order, { key: randomUUID() })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 402, 402, 402, 402, 402]);
    expect(await shop.recorded(shopper)).toMatchObject({ balanceMinor: 0, booksMinor: 0, charges: 3 });
  });
});
