import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { requestBytes } from './raw-http.js';
import { until, useShop } from './shop.js';
import { balancePayment } from './shopper.js';

const shop = useShop();

it('A payment whose client hangs up goes on, and its retry gets the answer', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const held = shop.holdNextPayment();
  const hungUp = request(`${shop.url}/api/orders/${order.id}/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${shopper.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
  });
  hungUp.end(JSON.stringify(balancePayment(order)));
  await held;
  const hangUp = once(hungUp, 'error');
  hungUp.destroy();
  await hangUp;
  shop.letGo();

  await until(async () => (await shop.recorded(shopper)).charges === 1);
  const retry = await shopper.pay(order, { key });
  expect(retry.status).toBe(201);
  expect(retry.headers['idempotent-replayed']).toBe('true');
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, payments: ['succeeded'], keys: [key] });
});

it('A request whose client hangs up before its end does nothing and leaves the key unused', async () => {
  const shopper = await shop.newShopper();
  const order = await shopper.order();
  const key = randomUUID();
  const { hostname, port } = new URL(shop.url);
  const socket = connect(Number(port), hostname);
  const fields = [
    `Authorization: Bearer ${shopper.token}`,
    `Idempotency-Key: ${key}`,
    'Content-Type: application/json',
  ];
  const bytes = requestBytes(
    `POST /api/orders/${order.id}/payments`,
    fields,
    JSON.stringify(balancePayment(order)),
  );
  await new Promise((written) => socket.write(bytes.slice(0, -1), written));
  socket.destroy();
  await once(socket, 'close');

  const first = await shopper.pay(order, { key });
  expect(first.status).toBe(201);
  expect(first.headers).not.toHaveProperty('idempotent-replayed');
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 1, keys: [key] });
});
