import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { CutAt } from './database-wire.js';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { until, useShop } from './shop.js';
import type { Shopper } from './shopper.js';

const shop = useShop();

/** Cuts one payment after another at its first statement, its second, and so on until one comes through. */
async function cutAtEveryStatement(
  at: CutAt,
  afterCut: (shopper: Shopper, pay: () => Promise<Reply>, statement: string) => Promise<void>,
): Promise<string[]> {
  for (let statement = 1; ; statement++) {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    const key = randomUUID();
    const pay = (): Promise<Reply> => shopper.pay(order, { key });

    shop.wire.cutAt(statement, at);
    const reply = await pay();
    const { statements, wasCut } = shop.wire.mend();
    const where = `statement ${statement}: ${statements.at(-1)}`;
    if (!wasCut) {
      expect(reply.status).toBe(201);
      return statements;
    }
    shopper.journal.push(`cut at ${where}`);
    const problem = expectProblem(reply, 'unavailable');
    expect(problem.retry).toBe('same_key');
    await afterCut(shopper, pay, statements.at(-1) ?? '');

    // Until Postgres has noticed the cut, the first attempt still counts as running.
    let last = await pay();
    await until(async () => {
      if (last.status === 409) last = await pay();
      return last.status !== 409;
    });
    expect(last.status, where).toBe(201);
    expect(await shop.recorded(shopper), where).toMatchObject({
      balanceMinor: 1_000_000_000 - order.amountMinor,
      booksMinor: 1_000_000_000 - order.amountMinor,
      charges: 1,
      payments: ['succeeded'],
      ordersPaid: 1,
      keys: [key],
    });
  }
}

it('before any statement leaves nothing, and the same key then pays once', async () => {
  const statements = await cutAtEveryStatement('request', async (shopper) => {
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], ordersPaid: 0, keys: [] });
  });
  // So that a reader of a failure knows the statements were there to be cut.
  expect(statements.filter((sql) => /^(start transaction|begin)/i.test(sql))).toHaveLength(1);
  expect(statements.at(-1)).toMatch(/^commit/i);
});

it('after any statement, COMMIT included, is settled by the same key', async () => {
  let committed = 0;
  await cutAtEveryStatement('reply', async (shopper, _pay, statement) => {
    if (!/^commit/i.test(statement)) return;
    // Nobody told the client, but it is done.
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, payments: ['succeeded'] });
    committed++;
  });
  expect(committed).toBe(1);
});

it('a connection that Postgres ends as it opens ends no process: nothing was done, and the same key pays', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  shop.wire.endAsReady(1);
  expectProblem(await shopper.pay(order, { key }), 'unavailable');
  // It may have been one of the connections there were; then the one that ends as it opens is the next.
  await until(async () => (await shopper.pay(order, { key })).status === 201);
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, payments: ['succeeded'], keys: [key] });
});
