import { randomUUID } from 'node:crypto';
import type { Order } from '@pay-once/contracts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseWire } from './database-wire.js';
import { expectProblem } from './expect-problem.js';
import { type MailFault, useMailProvider } from './mail-provider.js';
import { until, useShop } from './shop.js';
import { CONCERT_OF_2_SEATS, type Shopper } from './shopper.js';
import { startWorker, useWorker, type WorkerProcess } from './worker-process.js';

const shop = useShop();
const mailProvider = useMailProvider();

const addressOf = ({ sandboxId }: Shopper): string => `shopper@${sandboxId}.pay-once.invalid`;

async function payOrder(shopper: Shopper): Promise<Order> {
  const order = await shopper.order();
  expect((await shopper.pay(order, { key: randomUUID() })).status).toBe(201);
  return order;
}

async function jobStates({ sandboxId }: Shopper): Promise<string[]> {
  const rows = await shop.sql<{ state: string }>(
    `select state from pgboss.job where data ->> 'sandboxId' = $1 order by state`,
    [sandboxId],
  );
  return rows.map(({ state }) => state);
}

const allDone = (shopper: Shopper) => async (): Promise<boolean> =>
  (await jobStates(shopper)).every((state) => state === 'completed');

/** One e-ticket for the order, in the shop and in the provider's store, with one id. */
async function expectOneTicket(shopper: Shopper, order: Order): Promise<void> {
  const { tickets } = await shopper.show(order);
  expect(tickets).toHaveLength(1);
  const mails = mailProvider.mailsTo(addressOf(shopper));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.key).toBe(tickets[0]?.id);
  expect(mails[0]?.text).toContain(order.id);
  expect((await shopper.summary()).tickets.count).toBe(1);
}

/** A worker on a wire of its own. */
async function wiredWorker(): Promise<WorkerProcess & { wire: DatabaseWire }> {
  const wire = await DatabaseWire.lay(shop.databaseUrls.run);
  onTestFinished(() => wire.remove());
  return { wire, ...(await startWorker({ databaseUrl: wire.url, mailProviderUrl: mailProvider.url })) };
}

const unwired = () => ({ databaseUrl: shop.databaseUrls.run, mailProviderUrl: mailProvider.url });

describe('a paid order', () => {
  useWorker(unwired);

  it('gets one e-ticket by mail, however often its job is delivered', async () => {
    const shopper = await shop.newShopper();
    const order = await payOrder(shopper);
    await until(allDone(shopper));
    await expectOneTicket(shopper, order);

    for (let delivery = 2; delivery <= 4; delivery++) {
      await shop.sql(
        `update pgboss.job set state = 'retry', completed_on = null where data ->> 'sandboxId' = $1`,
        [shopper.sandboxId],
      );
      await until(allDone(shopper));
    }
    await expectOneTicket(shopper, order);
    const [ticket] = (await shopper.show(order)).tickets;
    expect(mailProvider.asked.get(ticket?.id ?? '')).toBe(1);
  });

  it('gets no second one from a second job', async () => {
    const shopper = await shop.newShopper();
    const order = await payOrder(shopper);
    await until(allDone(shopper));
    const ticketId = randomUUID();
    await shop.sql(`insert into pgboss.job (id, name, data) values ($1, 'e-tickets', $2)`, [
      ticketId,
      { sandboxId: shopper.sandboxId, orderId: order.id, ticketId },
    ]);
    await until(allDone(shopper));
    await expectOneTicket(shopper, order);
  });

  it('gets one though three workers look for its job', async () => {
    await Promise.all([startWorker(unwired()), startWorker(unwired())]);
    const shopper = await shop.newShopper();
    const orders = await Promise.all(Array.from({ length: 10 }, () => payOrder(shopper)));
    await until(allDone(shopper));
    const mails = mailProvider.mailsTo(addressOf(shopper));
    expect(mails).toHaveLength(orders.length);
    expect(new Set(mails.map(({ key }) => key)).size).toBe(orders.length);
    for (const order of orders) expect((await shopper.show(order)).tickets).toHaveLength(1);
  });

  it.each<[string, MailFault[]]>([
    ['answers 500 twice', ['refused', 'refused']],
    ['loses its reply', ['reply lost']],
    ['stores the mail and says nothing', ['stored, then silent']],
    ['says nothing at all', ['silent']],
  ])('gets one in the end when the mail provider %s', async (_what, faults) => {
    const shopper = await shop.newShopper();
    mailProvider.fail(({ to }) => to === addressOf(shopper), ...faults);
    const order = await payOrder(shopper);
    await until(allDone(shopper));
    await expectOneTicket(shopper, order);
    const [ticket] = (await shopper.show(order)).tickets;
    expect(mailProvider.asked.get(ticket?.id ?? '')).toBe(faults.length + 1);
  });
});

describe('a worker killed with its job', () => {
  it.each([
    ['before the mail is asked for', /^select from processed_jobs/],
    ['between the mail and the record of it', /^insert into processed_jobs/],
    ['between the record and the acknowledgement', /SET completed_on = now\(\),\s+state = 'completed'/],
  ])('%s leaves one e-ticket to the next worker', async (_when, statement) => {
    const shopper = await shop.newShopper();
    const { wire, kill } = await wiredWorker();
    const held = wire.holdNext(statement);
    const order = await payOrder(shopper);
    await held;
    await kill();
    expect(await jobStates(shopper)).toEqual(['active']);
    await startWorker(unwired());
    await until(allDone(shopper));
    await expectOneTicket(shopper, order);
  });
});

describe('a worker that is asked to stop', () => {
  it('finishes its job first, and takes no other', async () => {
    const shopper = await shop.newShopper();
    const worker = await wiredWorker();
    const { wire } = worker;
    const held = wire.holdNext(/^insert into processed_jobs/);
    const order = await payOrder(shopper);
    await held;
    worker.process.kill('SIGTERM');
    const late = await payOrder(shopper);
    wire.letGo();
    expect(await worker.ended).toBe(0);
    expect(await jobStates(shopper)).toEqual(['created', 'completed']);
    expect((await shopper.show(order)).tickets).toHaveLength(1);
    expect((await shopper.show(late)).tickets).toHaveLength(0);
  });
});

describe('a payment that is rolled back', () => {
  it('leaves no job', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order([{ concertId: CONCERT_OF_2_SEATS, quantity: 3 }]);
    expectProblem(await shopper.pay(order, { key: randomUUID() }), 'sold_out');
    expect(await jobStates(shopper)).toEqual([]);

    const other = await shopper.order();
    await shop.sql(`
      create function fail() returns trigger language plpgsql as
        $$ begin raise exception 'made to fail' using errcode = 'XX000'; end $$;
      create constraint trigger broken after update on idempotency_records deferrable initially deferred
        for each row execute function fail()`);
    const failed = await shopper.pay(other, { key: randomUUID() });
    await shop.sql('drop trigger broken on idempotency_records; drop function fail()');
    expectProblem(failed, 'internal');
    expect(await jobStates(shopper)).toEqual([]);
  });

  it('leaves the order unpaid when its job cannot be enqueued', async () => {
    const shopper = await shop.newShopper();
    const order = await shopper.order();
    await shop.sql('revoke insert on pgboss.job from pay_once_app');
    const failed = await shopper.pay(order, { key: randomUUID() });
    await shop.sql('grant insert on pgboss.job to pay_once_app');
    expect(failed.status).toBe(500);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], ordersPaid: 0, keys: [] });
  });
});
