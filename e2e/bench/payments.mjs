import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

// Measures new payments and replays through the production build. Everything runs on this machine, so the load
// generator, the API and Postgres share its cores: compare ratios of one run, not numbers of two machines.

const BASE_URL = process.env['BASE_URL'];
if (BASE_URL === undefined) throw new Error('Set BASE_URL to a running server, or run `npm run bench`.');

const CONNECTIONS = 16;
const SANDBOXES = 64;
const ORDERS_PER_SANDBOX = 120;
const REPLAY_SECONDS = 8;

/** @typedef {{ path: string, token: string, key: string, body: string }} Payment */

/**
 * @param {string} method @param {string} path @param {string} [token] @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function call(method, path, token, body) {
  const response = await fetch(BASE_URL + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** @returns {Promise<Payment[]>} the payments of one sandbox, one per order, none of them sent yet */
async function preparePayments() {
  const { token } = await call('POST', '/api/sandboxes', undefined, {});
  await call('PUT', '/api/sandbox/balance', token, { amountMinor: 10 ** 13 });
  const { concerts } = await call('GET', '/api/concerts', token);
  const concert = concerts.reduce((/** @type {any} */ most, /** @type {any} */ next) =>
    next.seatsLeft > most.seatsLeft ? next : most,
  );
  const payments = [];
  for (let index = 0; index < ORDERS_PER_SANDBOX; index++) {
    const orderId = randomUUID();
    await call('PUT', `/api/orders/${orderId}`, token, { items: [{ concertId: concert.id, quantity: 1 }] });
    payments.push({
      path: `/api/orders/${orderId}/payments`,
      token,
      key: randomUUID(),
      body: JSON.stringify({
        amountMinor: concert.amountMinor,
        currency: concert.currency,
        method: { type: 'balance' },
      }),
    });
  }
  return payments;
}

/**
 * @param {Payment[]} payments taken in turn
 * @param {{ amount: number } | { duration: number }} length
 */
async function drive(payments, length) {
  let next = 0;
  return autocannon({
    url: /** @type {string} */ (BASE_URL),
    connections: CONNECTIONS,
    ...length,
    requests: [
      {
        setupRequest: (request) => {
          const payment = payments[next++ % payments.length];
          if (payment === undefined) throw new Error('There is no payment to send.');
          return {
            ...request,
            method: 'POST',
            path: payment.path,
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${payment.token}`,
              'idempotency-key': payment.key,
            },
            body: payment.body,
          };
        },
      },
    ],
  });
}

/** @param {string} name @param {import('autocannon').Result} result @param {number} count @param {number} seconds */
function report(name, result, count, seconds) {
  const rate = Math.round(count / seconds);
  const { p50, p99 } = result.latency;
  console.log(`${name.padEnd(14)} ${String(rate).padStart(6)}/s   p50 ${p50} ms   p99 ${p99} ms`);
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} answers were not 2xx, ${result.errors} requests failed.`);
  }
}

console.log(`Preparing ${SANDBOXES * ORDERS_PER_SANDBOX} orders in ${SANDBOXES} sandboxes …`);
/** @type {Payment[][]} */
const perSandbox = [];
for (let group = 0; group < SANDBOXES; group += CONNECTIONS) {
  perSandbox.push(...(await Promise.all(Array.from({ length: CONNECTIONS }, preparePayments))));
}
// One sandbox after the other, so that two neighbours in time seldom want the same balance.
const payments = Array.from({ length: ORDERS_PER_SANDBOX }, (_, index) =>
  perSandbox.flatMap((list) => list.slice(index, index + 1)),
).flat();

const warmUp = payments.slice(0, 500);
const measured = payments.slice(500);
await drive(warmUp, { amount: warmUp.length });

const startedAtMs = performance.now();
const created = await drive(measured, { amount: measured.length });
report('new payments', created, measured.length, (performance.now() - startedAtMs) / 1000);

const replayed = await drive(measured, { duration: REPLAY_SECONDS });
report('replays', replayed, replayed['2xx'], replayed.duration);

const tokens = [...new Set(payments.map((payment) => payment.token))];
const summaries = await Promise.all(tokens.map((token) => call('GET', '/api/summary', token)));
const charges = summaries.reduce((sum, summary) => sum + summary.charges.count, 0);
if (charges !== payments.length) throw new Error(`${payments.length} orders, but ${charges} charges.`);
console.log(`charges        ${charges}, one for each of ${payments.length} orders`);
