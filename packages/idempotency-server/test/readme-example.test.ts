import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();
let app: NestFastifyApplication;

/** Takes the money each time it hears of a new key, and loses its first answer to each. */
const charged = new Set<unknown>();
const network = createServer((request, response) => {
  const key = request.headers['idempotency-key'];
  if (charged.has(key)) response.end('{"status":"approved"}');
  else response.destroy();
  charged.add(key);
});

beforeAll(async () => {
  await database.sql(`
    create table orders (id uuid primary key default gen_random_uuid(), concert text not null, seats integer not null);
    create table payments (id uuid primary key, operation_id uuid not null, amount_minor integer not null, status text not null)`);
  await new Promise<void>((listening) => network.listen(0, '127.0.0.1', listening));
  process.env['CARD_NETWORK_URL'] = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  process.env['DATABASE_URL'] = database.url;
  const { AppModule } = await import('../example/app.module.js');
  app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: false });
  await app.init();
});
afterAll(async () => {
  await app.close();
  network.closeAllConnections();
  network.close();
});

function order(key: string | undefined, body: object) {
  return post('/orders', key, body);
}

function post(url: string, key: string | undefined, body: object) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return app.inject({ method: 'POST', url, headers, payload: body });
}

test('the README shows the files that run here', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const name of ['app.module.ts', 'orders.controller.ts', 'card-payments.ts']) {
    const file = readFileSync(new URL(`../example/${name}`, import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${file}\`\`\`\n`);
  }
});

test('an order that is sent twice is one order, and two equal answers', async () => {
  const key = randomUUID();
  const body = { concert: 'Gamelan at dusk', seats: 2 };
  const first = await order(key, body);
  const again = await order(`"${key}"`, { seats: 2, concert: 'Gamelan at dusk' });
  expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
  expect(again.body).toBe(first.body);
  expect(again.headers.location).toBe(first.headers.location);
  expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  expect(await database.sql('select concert, seats from orders')).toEqual([body]);
});

test('an order without a key is refused, and so is another order under its key', async () => {
  const key = randomUUID();
  expect((await order(undefined, { concert: 'A', seats: 1 })).statusCode).toBe(400);
  expect((await order(key, { concert: 'A', seats: 1 })).statusCode).toBe(201);
  expect((await order(key, { concert: 'A', seats: 2 })).statusCode).toBe(422);
});

test('a payment whose first answer is lost is 202, and one charge when the same key asks again', async () => {
  const key = randomUUID();
  const before = charged.size;
  const first = await post('/payments', key, { amountMinor: 500 });
  expect([first.statusCode, first.headers['retry-after']]).toEqual([202, '2']);
  // The timer may be at it in this moment: then it is 409, and the same key will tell.
  const again = await vi.waitFor(async () => {
    const reply = await post('/payments', key, { amountMinor: 500 });
    expect(reply.statusCode).toBe(201);
    return reply;
  });
  expect((await post('/payments', key, { amountMinor: 500 })).body).toBe(again.body);
  expect((await post('/payments', key, { amountMinor: 600 })).statusCode).toBe(422);
  expect(charged.size).toBe(before + 1);
});

test('a payment that nobody asks for again is settled by the timer, and then replayed', async () => {
  const key = randomUUID();
  const before = charged.size;
  expect((await post('/payments', key, { amountMinor: 700 })).statusCode).toBe(202);
  const settled = () => database.sql(`select from payments where amount_minor = 700 and status = 'approved'`);
  await vi.waitFor(async () => expect(await settled()).toHaveLength(1), { timeout: 15_000 });
  const replay = await post('/payments', key, { amountMinor: 700 });
  expect([replay.statusCode, replay.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(charged.size).toBe(before + 1);
});
