import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useCardShop } from './card-shop.js';
import { DatabaseWire } from './database-wire.js';
import { expectProblem } from './expect-problem.js';
import { send } from './http-request.js';
import { until } from './shop.js';
import { cardPayment } from './shopper.js';

const SILENCE_MS = '2000';
const shop = useCardShop({ shop: { DATABASE_SILENCE_MS: SILENCE_MS } });

describe('connections whose other end is gone without a word', () => {
  it('are given up by the API, which then serves again by itself', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    shop.wire.abandonConnections();
    expectProblem(await shopper.pay(order, { key }), 'unavailable');
    await until(async () => (await shopper.pay(order, { key })).status === 201);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, payments: ['succeeded'], keys: [key] });
  });

  it('leave a payment that was just committed to its key, which replays it', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const committed = shop.wire.keepNextReply(/^commit/i);
    const unanswered = shopper.pay(order, { key });
    await committed;
    expectProblem(await unanswered, 'unavailable');
    const again = await shopper.pay(order, { key });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, payments: ['succeeded'] });
  });

  it('do not end a worker’s recovery or its mails', async () => {
    const wire = await DatabaseWire.lay(shop.databaseUrls.run);
    onTestFinished(() => wire.remove());
    await shop.startWorker({ url: wire.url, env: { DATABASE_SILENCE_MS: SILENCE_MS } });
    wire.abandonConnections();
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const body = cardPayment(order, 'card_reply_lost');
    expect((await shopper.pay(order, { key: randomUUID(), body })).status).toBe(202);
    await shop.untilPayment(shopper, 'succeeded');
    await shop.expectPaidOnceByCard(shopper);
    await until(async () => (await shopper.summary()).tickets.count === 1);
  });

  it('are kept by no look at whether the API is ready', async () => {
    const api = await shop.startApi({ POOL_MAX: '1', DATABASE_SILENCE_MS: '60000' });
    const ready = () => send(`${api.url}/readyz`, { method: 'GET' });
    expect((await ready()).status).toBe(200);
    shop.wire.abandonConnections();
    expectProblem(await ready(), 'unavailable');
    expect((await ready()).status).toBe(200);
  });
});
