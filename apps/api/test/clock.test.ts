import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { useShop } from './shop.js';
import type { Shopper } from './shopper.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

const shop = useShop();
/** API processes of a machine whose clock is two days ahead, and of one two days behind. */
let wrongUrls: string[];

beforeAll(async () => {
  const apis = [2 * DAY_MS, -2 * DAY_MS].map((shiftMs) =>
    shop.startApi({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shiftClock(shiftMs))}`,
    }),
  );
  wrongUrls = (await Promise.all(apis)).map(({ url, output }) => {
    const [, toldAt = ''] = /^The clock says (.+)$/m.exec(output()) ?? [];
    expect(Math.abs(Date.parse(toldAt) - Date.now())).toBeGreaterThan(DAY_MS);
    return url;
  });
});

/** A program that sets the clock of the process it is loaded into. */
function shiftClock(shiftMs: number): string {
  return `
    const Right = Date;
    const now = () => Right.now() + ${shiftMs};
    globalThis.Date = class Date extends Right {
      constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
      static now() { return now(); }
    };
    console.log('The clock says', new Date().toISOString());`;
}

async function moveExpiry({ sandboxId }: Shopper, interval: string): Promise<void> {
  await shop.sql(
    'update idempotency_records set expires_at = clock_timestamp() + $2::interval where tenant_id = $1',
    [sandboxId, interval],
  );
}

it('An answer is kept for 24 hours from its completion, and says until when', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const first = await shopper.pay(order, { key });
  const [record] = await shop.sql<{ expires_at: Date; kept: number }>(
    `select expires_at, extract(epoch from expires_at - completed_at)::float as kept
       from idempotency_records where tenant_id = $1`,
    [shopper.sandboxId],
  );
  expect(record?.kept).toBeCloseTo(24 * 60 * 60, 0);
  expect(first.headers['idempotency-expires']).toBe(record?.expires_at.toUTCString());
  expect((await shopper.pay(order, { key })).headers['idempotency-expires']).toBe(
    first.headers['idempotency-expires'],
  );
});

it('A process whose clock is wrong replays as long as the database says, and no longer', async () => {
  for (const url of wrongUrls) {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const first = await shopper.pay(order, { key });
    const elsewhere = shopper.at(url);

    const again = await elsewhere.pay(order, { key });
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-expires']).toBe(first.headers['idempotency-expires']);
    await moveExpiry(shopper, '1 minute');
    expect((await elsewhere.pay(order, { key })).body).toEqual(first.body);
    await moveExpiry(shopper, '-1 millisecond');
    expectProblem(await elsewhere.pay(order, { key }), 'order_already_paid');
    expectProblem(await shopper.pay(order, { key }), 'order_already_paid');
  }
});

it('A process whose clock is wrong stores an answer for as long as any other', async () => {
  for (const url of wrongUrls) {
    const shopper = await shop.newShopper(url);
    const order = await shopper.order();
    const key = randomUUID();
    const first = await shopper.pay(order, { key });
    const expiresAt = Date.parse(String(first.headers['idempotency-expires']));
    expect(Math.abs(expiresAt - Date.now() - DAY_MS)).toBeLessThan(60_000);
    expect((await shopper.at(shop.url).pay(order, { key })).body).toEqual(first.body);
  }
});
