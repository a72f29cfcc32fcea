import { randomUUID } from 'node:crypto';
import { messageSchema } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import type { Reply } from './http-request.js';
import { type MailFault, useMailProvider } from './mail-provider.js';
import { until, useShop } from './shop.js';
import type { Shopper } from './shopper.js';
import { useWorker } from './worker-process.js';

const shop = useShop();
const mailProvider = useMailProvider();

useWorker(() => ({ databaseUrl: shop.databaseUrls.run, mailProviderUrl: mailProvider.url }));

const MESSAGE = { name: 'Ayu', email: 'ayu@example.com', text: 'Is the hall\nopen early?' };

function write(shopper: Shopper, key: string, body: unknown = MESSAGE): Promise<Reply> {
  return shopper.send('POST', '/api/messages', { headers: { 'idempotency-key': key }, body });
}

/** How many messages, jobs for them and keys the sandbox has. */
async function stored({ sandboxId }: Shopper): Promise<{ messages: number; jobs: number; keys: number }> {
  const [row] = await shop.sql<{ messages: number; jobs: number; keys: number }>(
    `select (select count(*)::integer from messages where sandbox_id = $1) as messages,
            (select count(*)::integer from pgboss.job where id in (
              select id from messages where sandbox_id = $1)) as jobs,
            (select count(*)::integer from idempotency_records where tenant_id = $1::text) as keys`,
    [sandboxId],
  );
  if (row === undefined) throw new Error('Nothing was counted.');
  return row;
}

async function jobsOfAll(): Promise<number | undefined> {
  const [row] = await shop.sql<{ count: number }>('select count(*)::integer from pgboss.job');
  return row?.count;
}

const ONCE = { messages: 1, jobs: 1, keys: 1 };
const NOTHING = { messages: 0, jobs: 0, keys: 0 };

describe('a message of the contact form', () => {
  it('is stored once and mailed once, however often it is sent', async () => {
    const shopper = await shop.newShopper();
    const key = randomUUID();
    const first = await write(shopper, key);
    expect(first.status).toBe(201);
    expect(first.headers).toHaveProperty('idempotency-expires');
    expect(first.headers).not.toHaveProperty('location');
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    messageSchema.parse(JSON.parse(first.text));

    const again = await write(shopper, key, { text: ` ${MESSAGE.text} `, email: MESSAGE.email, name: 'Ayu' });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await stored(shopper)).toEqual(ONCE);

    // The client's one key is one key at the mail provider.
    const operationId = String(first.headers['operation-id']);
    await until(async () => mailProvider.asked.has(operationId));
    const mails = mailProvider.mails.filter((mail) => mail.key === operationId);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      to: 'contact@pay-once.invalid',
      text: `Ayu <ayu@example.com>\n\n${MESSAGE.text}`,
    });
  });

  it('is not asked for again when its job is delivered again', async () => {
    const shopper = await shop.newShopper();
    const operationId = String((await write(shopper, randomUUID())).headers['operation-id']);
    const isDone = async (): Promise<boolean> => {
      const [job] = await shop.sql<{ state: string }>(
        `select state from pgboss.job where data ->> 'operationId' = $1`,
        [operationId],
      );
      return job?.state === 'completed';
    };
    await until(isDone);
    await shop.sql(
      `update pgboss.job set state = 'retry', completed_on = null where data ->> 'operationId' = $1`,
      [operationId],
    );
    await until(isDone);
    expect(mailProvider.asked.get(operationId)).toBe(1);
  });

  it('sent twice at once is stored once', async () => {
    const shopper = await shop.newShopper();
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 10 }, () => write(shopper, key)));
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expectProblem(reply, 'request_in_progress');
    }
    const bodies = replies.filter(({ status }) => status === 201).map(({ text }) => text);
    expect(new Set(bodies).size).toBe(1);
    expect(await stored(shopper)).toEqual(ONCE);
  });

  it.each([
    ['text', { ...MESSAGE, text: 'Something else' }],
    ['name', { ...MESSAGE, name: 'Budi' }],
    ['address', { ...MESSAGE, email: 'budi@example.com' }],
  ])('is refused with another %s under its key', async (_what, changed) => {
    const shopper = await shop.newShopper();
    const key = randomUUID();
    const first = await write(shopper, key);
    expectProblem(await write(shopper, key, changed), 'idempotency_key_reused');
    expect((await write(shopper, key)).body).toEqual(first.body);
    expect(await stored(shopper)).toEqual(ONCE);
  });

  it('is refused under the key of a payment', async () => {
    const shopper = await shop.newShopper();
    const key = randomUUID();
    expect((await shopper.pay(await shopper.order(), { key })).status).toBe(201);
    expectProblem(await write(shopper, key), 'idempotency_key_reused');
    expect(await stored(shopper)).toMatchObject({ messages: 0 });
  });

  it('is another message in another sandbox, under the same key', async () => {
    const key = randomUUID();
    const shoppers = [await shop.newShopper(), await shop.newShopper()];
    const replies = await Promise.all(shoppers.map((shopper) => write(shopper, key)));
    for (const reply of replies) expect(reply.status).toBe(201);
    expect(replies[0]?.headers['operation-id']).not.toBe(replies[1]?.headers['operation-id']);
    for (const shopper of shoppers) expect(await stored(shopper)).toEqual(ONCE);
  });

  it('needs a valid key', async () => {
    const shopper = await shop.newShopper();
    const without = await shopper.send('POST', '/api/messages', { body: MESSAGE });
    expectProblem(without, 'idempotency_key_missing');
    expect(without.headers['link']).toContain('describedby');
    expectProblem(await write(shopper, ''), 'idempotency_key_missing');
    expectProblem(await write(shopper, 'a,b'), 'idempotency_key_invalid');
    expect(await stored(shopper)).toEqual(NOTHING);
  });

  it.each<[string, unknown]>([
    ['no text', { ...MESSAGE, text: '  ' }],
    ['no address', { ...MESSAGE, email: 'ayu' }],
    ['a member too many', { ...MESSAGE, to: 'someone@example.com' }],
    ['a text that is too long', { ...MESSAGE, text: 'x'.repeat(5_001) }],
  ])('with %s uses no key', async (_what, body) => {
    const shopper = await shop.newShopper();
    const key = randomUUID();
    expectProblem(await write(shopper, key, body), 'request_invalid');
    expect((await write(shopper, key)).status).toBe(201);
  });

  it('needs a sandbox', async () => {
    const shopper = await shop.newShopper();
    const headers = { authorization: 'Bearer wrong', 'idempotency-key': randomUUID() };
    expectProblem(await shopper.send('POST', '/api/messages', { headers, body: MESSAGE }), 'unauthenticated');
  });
});

describe('a message that is rolled back', () => {
  it.each([
    ['at its insert', 'before insert on messages'],
    ['at its job', 'before insert on pgboss.job'],
    ['at the end of its transaction', 'after insert on messages deferrable initially deferred'],
  ])('%s leaves no message, no job and no key', async (_when, event) => {
    const shopper = await shop.newShopper();
    const key = randomUUID();
    const [, table] = / on (\S+)/.exec(event) ?? [];
    const kind = event.includes('deferred') ? 'constraint trigger' : 'trigger';
    await shop.sql(`
      create function fail() returns trigger language plpgsql as
        $$ begin raise exception 'made to fail' using errcode = 'XX000'; end $$;
      create ${kind} broken ${event} for each row execute function fail()`);
    const before = await jobsOfAll();
    const failed = await write(shopper, key);
    await shop.sql(`drop trigger broken on ${table}; drop function fail()`);
    expect(expectProblem(failed, 'internal').retry).toBe('same_key');
    expect(await stored(shopper)).toEqual(NOTHING);
    expect(await jobsOfAll()).toBe(before);
    const retry = await write(shopper, key);
    expect(retry.status).toBe(201);
    expect(retry.headers).not.toHaveProperty('idempotent-replayed');
    expect(await stored(shopper)).toEqual(ONCE);
  });
});

describe('a mail provider that', () => {
  it.each<[string, MailFault]>([
    ['answers 500', 'refused'],
    ['loses its reply', 'reply lost'],
    ['is too slow', 'stored, then silent'],
  ])('%s has one mail in the end', async (_what, fault) => {
    const shopper = await shop.newShopper();
    const body = { ...MESSAGE, name: shopper.sandboxId };
    mailProvider.fail(({ text }) => text.includes(shopper.sandboxId), fault);
    const operationId = String((await write(shopper, randomUUID(), body)).headers['operation-id']);
    await until(async () => mailProvider.asked.get(operationId) === 2);
    expect(mailProvider.mails.filter(({ text }) => text.includes(shopper.sandboxId))).toHaveLength(1);
  });
});
