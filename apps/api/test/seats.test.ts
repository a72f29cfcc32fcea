import { randomUUID } from 'node:crypto';
import { concertsSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { useShop } from './shop.js';
import { CONCERT_OF_2_SEATS, CONCERT_OF_300_SEATS, CONCERT_OF_500_SEATS, type Shopper } from './shopper.js';

const shop = useShop();

async function seatsLeft(shopper: Shopper, concertId: string): Promise<number | undefined> {
  const reply = await shopper.send('GET', '/api/concerts');
  const { concerts } = concertsSchema.parse(JSON.parse(reply.text));
  return concerts.find(({ id }) => id === concertId)?.seatsLeft;
}

async function setSeatsLeft({ sandboxId }: Shopper, concertId: string, seats: number): Promise<void> {
  await shop.sql('update concert_seats set seats_left = $3 where sandbox_id = $1 and concert_id = $2', [
    sandboxId,
    concertId,
    seats,
  ]);
}

describe('seats', () => {
  it('are taken by the payment, not by the order', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order([{ concertId: CONCERT_OF_500_SEATS, quantity: 3 }]);
    expect(await seatsLeft(shopper, CONCERT_OF_500_SEATS)).toBe(500);
    const key = randomUUID();
    await shopper.pay(order, { key });
    await shopper.pay(order, { key });
    expect(await seatsLeft(shopper, CONCERT_OF_500_SEATS)).toBe(497);
  });

  it('are left when the payment is declined', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    await shopper.setBalance(0);
    expectProblem(await shopper.pay(order, { key: randomUUID() }), 'balance_insufficient');
    expect(await seatsLeft(shopper, CONCERT_OF_500_SEATS)).toBe(500);
  });

  it('are taken by all items of an order or by none', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order([
      { concertId: CONCERT_OF_500_SEATS, quantity: 1 },
      { concertId: CONCERT_OF_2_SEATS, quantity: 3 },
    ]);
    expectProblem(await shopper.pay(order, { key: randomUUID() }), 'sold_out');
    expect(await seatsLeft(shopper, CONCERT_OF_500_SEATS)).toBe(500);
    expect(await seatsLeft(shopper, CONCERT_OF_2_SEATS)).toBe(2);
  });

  it('do not lock each other up when two orders name them in opposite order', async () => {
    const shopper = await shop.newShopper();
    await shopper.setBalance(10 ** 13);
    const concerts = [CONCERT_OF_300_SEATS, CONCERT_OF_500_SEATS];
    const orders = await Promise.all(
      Array.from({ length: 16 }, (_, index) => {
        const named = index % 2 === 0 ? concerts : concerts.toReversed();
        return shopper.order(named.map((concertId) => ({ concertId, quantity: 1 })));
      }),
    );
    const replies = await Promise.all(orders.map((order) => shopper.pay(order, { key: randomUUID() })));
    expect(replies.map(({ status }) => status)).toEqual(orders.map(() => 201));
    expect(await seatsLeft(shopper, CONCERT_OF_300_SEATS)).toBe(284);
  });
});

describe('the last seat', () => {
  it('goes to one of 20 orders that pay at once', async () => {
    const shopper = await shop.newShopper();
    await shopper.setBalance(10 ** 13);
    await setSeatsLeft(shopper, CONCERT_OF_2_SEATS, 1);
    const orders = await Promise.all(
      Array.from({ length: 20 }, () => shopper.order([{ concertId: CONCERT_OF_2_SEATS, quantity: 1 }])),
    );
    const replies = await Promise.all(orders.map((order) => shopper.pay(order, { key: randomUUID() })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 201) expectProblem(reply, 'sold_out');
    expect(await seatsLeft(shopper, CONCERT_OF_2_SEATS)).toBe(0);
    expect(await shop.recorded(shopper)).toMatchObject({
      charges: 1,
      ordersPaid: 1,
      payments: ['succeeded'],
    });
  });

  it('that is gone charges nothing and leaves the key unused', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order([{ concertId: CONCERT_OF_2_SEATS, quantity: 2 }]);
    await setSeatsLeft(shopper, CONCERT_OF_2_SEATS, 1);
    const key = randomUUID();
    expectProblem(await shopper.pay(order, { key }), 'sold_out');
    expect(await shop.recorded(shopper)).toMatchObject({
      balanceMinor: 1_000_000_000,
      charges: 0,
      payments: [],
      ordersPaid: 0,
      keys: [],
    });

    await setSeatsLeft(shopper, CONCERT_OF_2_SEATS, 2);
    const paid = await shopper.pay(order, { key });
    expect(paid.status).toBe(201);
    expect(paid.headers).not.toHaveProperty('idempotent-replayed');
  });
});
