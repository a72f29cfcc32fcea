import { type Cart, type Concert, cartSchema, concertSchema, concertsSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { useShop } from './shop.js';
import { CONCERT_OF_2_SEATS, CONCERT_OF_300_SEATS, CONCERT_OF_500_SEATS, type Shopper } from './shopper.js';

const shop = useShop();

async function setInCart(shopper: Shopper, concertId: string, quantity: number): Promise<Cart> {
  const reply = await shopper.send('PUT', `/api/cart/items/${concertId}`, { body: { quantity } });
  expect(reply.status).toBe(200);
  return cartSchema.parse(JSON.parse(reply.text));
}

async function show(shopper: Shopper, concertId: string): Promise<Concert> {
  return concertSchema.parse(JSON.parse((await shopper.send('GET', `/api/concerts/${concertId}`)).text));
}

describe('the cart', () => {
  it('holds the quantity that was set, however often it is set', async () => {
    const shopper = await shop.newShopper();
    for (let time = 1; time <= 3; time++) {
      const cart = await setInCart(shopper, CONCERT_OF_500_SEATS, 3);
      expect(cart.items).toMatchObject([{ concertId: CONCERT_OF_500_SEATS, quantity: 3, seatsLeft: 500 }]);
      expect(cart).toMatchObject({ amountMinor: 105_000_000, currency: 'IDR' });
    }
    expect((await setInCart(shopper, CONCERT_OF_500_SEATS, 2)).items).toMatchObject([{ quantity: 2 }]);
  });

  it('loses the concert at 0, however often it is set', async () => {
    const shopper = await shop.newShopper();
    await setInCart(shopper, CONCERT_OF_500_SEATS, 1);
    await setInCart(shopper, CONCERT_OF_300_SEATS, 1);
    for (let time = 1; time <= 2; time++) {
      const { items } = await setInCart(shopper, CONCERT_OF_500_SEATS, 0);
      expect(items.map(({ concertId }) => concertId)).toEqual([CONCERT_OF_300_SEATS]);
    }
  });

  it('holds one of the quantities that are set at once', async () => {
    const shopper = await shop.newShopper();
    const quantities = [1, 2, 3, 4, 5, 6, 7, 8];
    await Promise.all(quantities.map((quantity) => setInCart(shopper, CONCERT_OF_500_SEATS, quantity)));
    const { items } = cartSchema.parse(JSON.parse((await shopper.send('GET', '/api/cart')).text));
    expect(items).toHaveLength(1);
    expect(quantities).toContain(items[0]?.quantity);
  });

  it.each([-1, 11, 1.5, '1', null])('refuses %j and stays as it was', async (quantity) => {
    const shopper = await shop.newShopper();
    await setInCart(shopper, CONCERT_OF_500_SEATS, 2);
    const path = `/api/cart/items/${CONCERT_OF_500_SEATS}`;
    expectProblem(await shopper.send('PUT', path, { body: { quantity } }), 'request_invalid');
    expect((await setInCart(shopper, CONCERT_OF_300_SEATS, 1)).items).toMatchObject([
      { concertId: CONCERT_OF_500_SEATS, quantity: 2 },
      { concertId: CONCERT_OF_300_SEATS, quantity: 1 },
    ]);
  });

  it('is empty at first', async () => {
    const shopper = await shop.newShopper();
    const reply = await shopper.send('GET', '/api/cart');
    expect(JSON.parse(reply.text)).toEqual({ items: [], amountMinor: 0, currency: 'IDR' });
  });
});

describe('a like', () => {
  const path = `/api/concerts/${CONCERT_OF_2_SEATS}/like`;

  it('is one however often it is given, and none however often it is taken back', async () => {
    const shopper = await shop.newShopper();
    const { likes } = await show(shopper, CONCERT_OF_2_SEATS);
    for (let time = 1; time <= 2; time++) {
      const reply = await shopper.send('PUT', path);
      expect([reply.status, reply.text]).toEqual([204, '']);
    }
    expect(await show(shopper, CONCERT_OF_2_SEATS)).toMatchObject({ likes: likes + 1, liked: true });
    for (let time = 1; time <= 2; time++) {
      const reply = await shopper.send('DELETE', path);
      expect([reply.status, reply.text]).toEqual([204, '']);
    }
    expect(await show(shopper, CONCERT_OF_2_SEATS)).toMatchObject({ likes, liked: false });
  });

  it('is one out of 20 given at once', async () => {
    const shopper = await shop.newShopper();
    const { likes } = await show(shopper, CONCERT_OF_2_SEATS);
    const replies = await Promise.all(Array.from({ length: 20 }, () => shopper.send('PUT', path)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 204));
    expect((await show(shopper, CONCERT_OF_2_SEATS)).likes).toBe(likes + 1);
  });

  it('is counted for everyone and marked for whoever gave it', async () => {
    const fan = await shop.newShopper();
    const other = await shop.newShopper();
    const { likes } = await show(other, CONCERT_OF_300_SEATS);
    await fan.send('PUT', `/api/concerts/${CONCERT_OF_300_SEATS}/like`);
    expect(await show(other, CONCERT_OF_300_SEATS)).toMatchObject({ likes: likes + 1, liked: false });
    const { concerts } = concertsSchema.parse(JSON.parse((await fan.send('GET', '/api/concerts')).text));
    expect(concerts.filter(({ liked }) => liked).map(({ id }) => id)).toEqual([CONCERT_OF_300_SEATS]);
  });
});
