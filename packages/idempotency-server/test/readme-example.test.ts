import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from './test-database.js';

const database = useTestDatabase();
let app: NestFastifyApplication;

beforeAll(async () => {
  await database.sql(
    'create table orders (id uuid primary key default gen_random_uuid(), concert text not null, seats integer not null)',
  );
  process.env['DATABASE_URL'] = database.url;
  const { AppModule } = await import('../example/app.module.js');
  app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: false });
  await app.init();
});
afterAll(() => app.close());

function order(key: string | undefined, body: object) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return app.inject({ method: 'POST', url: '/orders', headers, payload: body });
}

test('the README shows the files that run here', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const name of ['app.module.ts', 'orders.controller.ts']) {
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
