import { randomUUID } from 'node:crypto';
import { CARD_TEXTS, type Locale, type Order, type ProblemCode } from '@pay-once/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.js';
import { type Reply, send } from './http-request.js';
import { useShop } from './shop.js';
import { balancePayment, CONCERT_OF_2_SEATS, CONCERT_OF_500_SEATS, type Shopper } from './shopper.js';

const shop = useShop();

let shopper: Shopper;
let order: Order;

beforeEach(async () => {
  shopper = await shop.newShopper();
  order = await shopper.order();
});

type Fields = Record<string, string>;

/** The credential as a browser has it: sent by itself, with every request. */
function cookie({ token }: Shopper): string {
  return `theme=dark; pay_once_session=${token}`;
}

function page(path: string, headers: Fields = {}): Promise<Reply> {
  return send(shop.url + path, {
    method: 'GET',
    headers: { cookie: cookie(shopper), accept: 'text/html', ...headers },
  });
}

/** The hidden fields of the checkout page, as a browser without JavaScript would send them. */
async function hiddenFields(ofOrder = order): Promise<Fields> {
  const { text } = await page(`/checkout/${ofOrder.id}`);
  const inputs = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

interface Press {
  orderId?: string;
  /** How the first segment of the address is written. */
  checkout?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

function press(
  fields: Fields,
  { orderId = order.id, checkout = 'checkout', headers = {}, body }: Press = {},
): Promise<Reply> {
  return send(`${shop.url}/${checkout}/${orderId}/pay`, {
    method: 'POST',
    headers: {
      cookie: cookie(shopper),
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: body ?? new URLSearchParams(fields).toString(),
  });
}

/** Follows the answer to the page it names, as a browser does. */
async function landing(reply: Reply): Promise<Reply> {
  expect(reply.status).toBe(303);
  const shown = await page(String(reply.headers['location']));
  expect([200, 404]).toContain(shown.status);
  expect(shown.headers['content-type']).toContain('text/html');
  return shown;
}

async function expectRefused(reply: Reply, code: ProblemCode): Promise<Reply> {
  expect(reply.headers['location']).toMatch(new RegExp(`[?]problem=${code}$`));
  return landing(reply);
}

async function expectNothingCharged(): Promise<void> {
  expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, payments: [], ordersPaid: 0, keys: [] });
}

describe('pressing the button', () => {
  it('pays, and leads to a receipt whose reload sends nothing', async () => {
    const fields = await hiddenFields();
    const reply = await press(fields);
    expect(reply.headers['location']).toBe(`/orders/${order.id}`);
    const receipt = await landing(reply);
    expect(receipt.text).toContain('Paid. You were charged once.');
    await page(`/orders/${order.id}`);
    const { payments, charges, keys } = await shop.recorded(shopper);
    expect([payments, charges, keys]).toEqual([['succeeded'], 1, [fields['idempotencyKey']]]);
  });

  it.each(['%63heckout', 'checkou%74'])('at the address written /%s/… is the same', async (checkout) => {
    const fields = await hiddenFields();
    await expectRefused(await press({}, { checkout }), 'request_invalid');
    expect((await press(fields, { checkout })).headers['location']).toBe(`/orders/${order.id}`);
    const shown = await page(`/order%73/${order.id}`);
    expect(shown.text).toContain('Paid. You were charged once.');
    expect((await shop.recorded(shopper)).charges).toBe(1);
  });

  it('twice at once charges once, and again later too', async () => {
    const fields = await hiddenFields();
    const replies = [...(await Promise.all([press(fields), press(fields)])), await press(fields)];
    for (const reply of replies) {
      expect(reply.status).toBe(303);
      expect(reply.headers['location']).toMatch(`/orders/${order.id}`);
    }
    expect(replies[2]?.headers['location']).toBe(`/orders/${order.id}`);
    expect((await shop.recorded(shopper)).charges).toBe(1);
  });

  it('and a JSON request with the same key are one payment', async () => {
    const fields = await hiddenFields();
    const pressed = await press(fields);
    const replayed = await shopper.pay(order, { key: String(fields['idempotencyKey']) });
    expect(replayed.status).toBe(201);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.headers['operation-id']).toBe(pressed.headers['operation-id']);
    expect((await shop.recorded(shopper)).charges).toBe(1);
  });

  it('on two pages of one order charges once', async () => {
    const [one, other] = [await hiddenFields(), await hiddenFields()];
    expect(one['idempotencyKey']).not.toBe(other['idempotencyKey']);
    await press(one);
    const shown = await expectRefused(await press(other), 'order_already_paid');
    expect(shown.text).toContain('Nothing new was charged');
    expect((await shop.recorded(shopper)).charges).toBe(1);
  });

  it('on an old page with another choice charges nothing, says so, and offers a new key', async () => {
    await shopper.setBalance(0);
    const old = await hiddenFields();
    await expectRefused(await press(old), 'balance_insufficient');
    const back = { ...old, method: 'card', card: 'card_visa_approved' };
    const shown = await expectRefused(await press(back), 'idempotency_key_reused');
    expect(shown.text).toContain('That page had been used before');
    const next = /name="idempotencyKey" value="([^"]+)"/.exec(shown.text)?.[1];
    expect(next).toMatch(/^[0-9a-f-]{36}$/);
    expect(next).not.toBe(old['idempotencyKey']);
    expect(await shop.recorded(shopper)).toMatchObject({ charges: 0, ordersPaid: 0 });
  });

  it('leads to a receipt that no address can contradict', async () => {
    expect((await page(`/checkout/${order.id}?problem=order_already_paid`)).text).not.toContain(
      'already paid',
    );
    await landing(await press(await hiddenFields()));
    for (const problem of ['card_declined', 'request_in_progress', 'sold_out'])
      expect((await page(`/orders/${order.id}?problem=${problem}`)).text).not.toContain('plain-note');
  });

  it('with a key for another order is refused', async () => {
    const fields = await hiddenFields();
    const another = await shopper.order();
    await press(fields);
    await expectRefused(await press(fields, { orderId: another.id }), 'idempotency_key_reused');
    expect((await shop.recorded(shopper)).charges).toBe(1);
  });

  it('while the first press runs leads to the order’s page', async () => {
    const fields = await hiddenFields();
    const held = shop.holdNextPayment();
    const first = press(fields);
    await held;
    await expectRefused(await press(fields), 'request_in_progress');
    shop.letGo();
    expect((await first).headers['location']).toBe(`/orders/${order.id}`);
  });
});

describe('a refusal leads to a page that says so', () => {
  it('when the balance is not enough, however often it is pressed', async () => {
    const fields = await hiddenFields();
    await shopper.setBalance(0);
    const shown = await expectRefused(await press(fields), 'balance_insufficient');
    expect(shown.text).toContain('No money left your account.');
    await shopper.setBalance(order.amountMinor);
    await expectRefused(await press(fields), 'balance_insufficient');
    expect((await shop.recorded(shopper)).payments).toEqual(['declined']);
    // The page it leads to holds a new key, so the next press is a new intention.
    expect((await press(await hiddenFields())).headers['location']).toBe(`/orders/${order.id}`);
  });

  it('when the seats are gone', async () => {
    const tooMany = await shopper.order([{ concertId: CONCERT_OF_2_SEATS, quantity: 3 }]);
    const fields = await hiddenFields(tooMany);
    await expectRefused(await press(fields, { orderId: tooMany.id }), 'sold_out');
    await expectNothingCharged();
  });

  it('when the amount is not what the order costs', async () => {
    const fields = await hiddenFields();
    await expectRefused(await press({ ...fields, amountMinor: '1' }), 'amount_mismatch');
    await expectNothingCharged();
  });

  it('when the server fails', async () => {
    const fields = await hiddenFields();
    await shop.sql('revoke insert on ledger_entries from pay_once_app');
    const reply = await press(fields);
    await shop.sql('grant insert on ledger_entries to pay_once_app');
    const shown = await expectRefused(reply, 'internal');
    expect(shown.text).toContain('Do not pay again before you have looked here.');
    await expectNothingCharged();
    await press(fields);
    expect((await shop.recorded(shopper)).charges).toBe(1);
  });

  it.each<[string, ProblemCode, (fields: Fields) => Fields]>([
    ['no key', 'idempotency_key_missing', ({ idempotencyKey: _key, ...rest }) => rest],
    ['an empty key', 'idempotency_key_missing', (fields) => ({ ...fields, idempotencyKey: ' ' })],
    [
      'a key that is too long',
      'idempotency_key_invalid',
      (fields) => ({ ...fields, idempotencyKey: 'k'.repeat(256) }),
    ],
    ['a key with a comma', 'idempotency_key_invalid', (fields) => ({ ...fields, idempotencyKey: 'a,b' })],
    ['a key beyond ASCII', 'idempotency_key_invalid', (fields) => ({ ...fields, idempotencyKey: 'é' })],
    ['an amount that is no number', 'request_invalid', (fields) => ({ ...fields, amountMinor: '1e3' })],
    ['an unknown currency', 'request_invalid', (fields) => ({ ...fields, currency: 'XXX' })],
    ['a field that nobody knows', 'request_invalid', (fields) => ({ ...fields, sandboxId: 'x' })],
  ])('when it has %s', async (_name, code, change) => {
    await expectRefused(await press(change(await hiddenFields())), code);
    await expectNothingCharged();
  });

  it('when a field comes twice', async () => {
    const fields = await hiddenFields();
    const body = new URLSearchParams(fields).toString();
    const twoKeys = { body: `${body}&idempotencyKey=other` };
    await expectRefused(await press(fields, twoKeys), 'idempotency_key_invalid');
    await expectRefused(await press(fields, { body: `amountMinor=1&${body}` }), 'request_invalid');
    await expectNothingCharged();
  });

  it('when its body is too large or of another type', async () => {
    const fields = await hiddenFields();
    const tooLarge = { ...fields, idempotencyKey: 'k'.repeat(40_000) };
    await expectRefused(await press(tooLarge), 'payload_too_large');
    const asText = { headers: { 'content-type': 'text/plain' } };
    await expectRefused(await press(fields, asText), 'unsupported_media_type');
    await expectNothingCharged();
  });

  it.each(['x', '..%2F..%2Fapi', '%2F%2Fexample.com', randomUUID()])(
    'when there is no order %s, and stays at this shop',
    async (orderId) => {
      const reply = await press(await hiddenFields(), { orderId });
      const shown = await landing(reply);
      expect(String(reply.headers['location'])).toMatch(/^\/($|orders\/)/);
      expect(shown.text).not.toContain('Charged 1 time');
      await expectNothingCharged();
    },
  );

  it('when the order is another sandbox’s, as if there were none', async () => {
    const stranger = await shop.newShopper();
    const theirs = await stranger.order();
    const strange = await press(await hiddenFields(), { orderId: theirs.id });
    const unknownId = randomUUID();
    const unknown = await press(await hiddenFields(), { orderId: unknownId });
    expect(strange.headers['location']?.replace(theirs.id, '')).toBe(
      unknown.headers['location']?.replace(unknownId, ''),
    );
    expect((await landing(strange)).text).toBe((await landing(unknown)).text);
    expect((await stranger.show(theirs)).status).toBe('unpaid');
  });
});

describe('a header beside the field', () => {
  it('may say the same key', async () => {
    const fields = await hiddenFields();
    const headers = { 'idempotency-key': `"${fields['idempotencyKey']}"` };
    expect((await press(fields, { headers })).headers['location']).toBe(`/orders/${order.id}`);
    expect((await shop.recorded(shopper)).keys).toEqual([fields['idempotencyKey']]);
  });

  it.each<[string, string | string[]]>([
    ['another key', 'another'],
    ['two keys', ['one', 'two']],
    ['no key at all', 'a,b'],
  ])('may not say %s', async (_name, key) => {
    const reply = await press(await hiddenFields(), { headers: { 'idempotency-key': key } });
    await expectRefused(reply, 'idempotency_key_invalid');
    await expectNothingCharged();
  });
});

describe('a request that is not this session’s own', () => {
  it('changes nothing without the session’s form token', async () => {
    const { formToken, ...withoutToken } = await hiddenFields();
    const stranger = await shop.newShopper();
    const own = shopper;
    shopper = stranger;
    const { formToken: strangersToken } = await hiddenFields(await stranger.order());
    shopper = own;
    expect(strangersToken).not.toBe(formToken);

    for (const token of ['', 'wrong', String(strangersToken), shopper.token]) {
      await expectRefused(await press({ ...withoutToken, formToken: token }), 'unauthenticated');
    }
    await expectRefused(await press(withoutToken), 'request_invalid');
    await expectNothingCharged();
  });

  it('changes nothing without a cookie, or with one that nobody has', async () => {
    const fields = await hiddenFields();
    for (const value of ['', 'pay_once_session=', 'pay_once_session=wrong']) {
      await expectRefused(await press(fields, { headers: { cookie: value } }), 'unauthenticated');
    }
    await expectNothingCharged();
  });

  it.each([
    ['en', 'This press charged nothing.', 'Your session has ended', 'There is no such order here.'],
    [
      'id',
      'Permintaan ini tidak memotong apa pun.',
      'Sesi Anda sudah berakhir',
      'Pesanan itu tidak ada di sini.',
    ],
  ])('ends on a page that says in %s that nothing was charged', async (language, nothing, over, noOrder) => {
    const fields = await hiddenFields();
    const own = { cookie: cookie(shopper) };
    const strangers = { cookie: cookie(await shop.newShopper()) };
    const none = { cookie: '' };
    const pressIn = (headers: Fields, formToken = fields['formToken'] ?? ''): Promise<Reply> =>
      press({ ...fields, formToken }, { headers });
    const shown = async (reply: Reply, headers: Fields): Promise<string> => {
      const location = String(reply.headers['location']);
      const { text } = await page(location, { ...headers, 'accept-language': language });
      expect(text).toContain(nothing);
      return text;
    };

    // A form of an earlier session, in one that has this order: the page holds a form that works.
    const ofOwn = await shown(await pressIn(own, 'of another session'), own);
    expect(ofOwn).toContain(`name="formToken" value="${fields['formToken']}"`);
    // In another session, which knows of no such order, and in none.
    expect(await shown(await pressIn(strangers), strangers)).toContain(noOrder);
    const withoutSession = await shown(await pressIn(none), none);
    expect(withoutSession).toContain(over);
    expect(withoutSession).toContain('<a href="/">');
    await expectNothingCharged();
  });

  const otherOrigins: [string, Fields][] = [
    ['of another site', { origin: 'https://example.com' }],
    ['of a page that hides its origin', { origin: 'null' }],
    ['of another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['that the browser calls same-site', { 'sec-fetch-site': 'same-site' }],
  ];

  it.each(otherOrigins)('changes nothing from a form %s', async (_name, headers) => {
    await expectRefused(await press(await hiddenFields(), { headers }), 'unauthenticated');
    await expectNothingCharged();
  });

  it.each(otherOrigins)('changes nothing through the API from a page %s', async (_name, headers) => {
    const before = await shopper.send('GET', '/api/cart');
    const requests: [string, string, unknown][] = [
      ['PUT', '/api/sandbox/balance', { amountMinor: 1 }],
      ['PUT', `/api/concerts/${CONCERT_OF_500_SEATS}/like`, undefined],
      ['PUT', `/api/cart/items/${CONCERT_OF_500_SEATS}`, { quantity: 1 }],
      ['PUT', `/api/orders/${randomUUID()}`, { items: [{ concertId: CONCERT_OF_500_SEATS, quantity: 1 }] }],
      ['POST', `/api/orders/${order.id}/payments`, balancePayment(order)],
    ];
    for (const [method, path, body] of requests) {
      const withCookie = { cookie: cookie(shopper), 'idempotency-key': 'k', ...headers };
      expectProblem(await send(shop.url + path, { method, headers: withCookie, body }), 'unauthenticated');
    }
    expect(await shop.recorded(shopper)).toMatchObject({ balanceMinor: 1_000_000_000, charges: 0, keys: [] });
    expect((await shopper.send('GET', '/api/cart')).body).toEqual(before.body);
    const orders = JSON.parse((await shopper.send('GET', '/api/orders')).text);
    expect(orders.orders).toHaveLength(1);
  });

  it('is let through when it comes from this origin', async () => {
    const own = { origin: shop.url, 'sec-fetch-site': 'same-origin' };
    const reply = await press(await hiddenFields(), { headers: own });
    expect(reply.headers['location']).toBe(`/orders/${order.id}`);
  });
});

describe('the page', () => {
  it.each([
    ['en', 'en-US,en;q=0.9', 'Pay Rp350,000', 'Rp10,000,000', 'Paid. You were charged once.'],
    ['id', 'id-ID,id;q=0.9,en;q=0.5', 'Bayar Rp350.000', 'Rp10.000.000', 'Lunas. Anda terpotong satu kali.'],
  ])('carries the form and the receipt in %s', async (language, acceptLanguage, pay, balance, paid) => {
    const headers = { 'accept-language': acceptLanguage };
    const checkout = await page(`/checkout/${order.id}`, headers);
    expect(checkout.text).toContain(`<html lang="${language}"`);
    expect(checkout.text).toContain(`>${pay}</button>`);
    expect(checkout.text).toContain(balance);
    expect(checkout.text).toMatch(/<div id="root"><main.*<form.*method="post"/s);

    await press(await hiddenFields());
    for (const path of [`/orders/${order.id}`, `/checkout/${order.id}`]) {
      const receipt = await page(path, headers);
      expect(receipt.text).toContain(paid);
      expect(receipt.text).toContain(order.number);
      expect(receipt.text).not.toContain('<form');
    }
  });

  it('says what a problem means, in both languages, and nothing for a code that is none', async () => {
    const path = `/orders/${order.id}?problem=`;
    const indonesian = { 'accept-language': 'id' };
    expect((await page(`${path}unavailable`)).text).toContain('Your payment may have gone through');
    expect((await page(`${path}unavailable`, indonesian)).text).toContain('mungkin sudah berhasil');
    for (const code of ['nonsense', '%3Cscript%3E', 'toString', 'unavailable&problem=internal']) {
      const shown = await page(path + code);
      expect(shown.status).toBe(200);
      expect(shown.text).not.toMatch(/role="alert"|<script>/);
    }
  });

  it('never says a problem that the order contradicts', async () => {
    const addresses = ['order_already_paid', 'card_declined', 'balance_insufficient'].flatMap((problem) => [
      `/orders/${order.id}?problem=${problem}`,
      `/checkout/${order.id}?problem=${problem}`,
      `/orders/${randomUUID()}?problem=${problem}`,
    ]);
    for (const path of [...addresses, `/orders/${order.id}?problem=order_being_paid&look=6`]) {
      const { text } = await page(path);
      expect(text, path).not.toMatch(/plain-note|role="alert"/);
      expect(text, path).toMatch(/<h1>/);
    }
  });

  it.each([
    ['balance_insufficient', 'Your balance is not enough.', 'card_declined'],
    ['card_declined', 'Card declined.', 'balance_insufficient'],
  ])('says %s when a payment was declined so, and not the other decline', async (problem, says, other) => {
    await shop.sql(
      `insert into payments (id, sandbox_id, order_id, status, method, card, operation_id, amount_minor, currency)
       select gen_random_uuid(), sandbox_id, id, 'declined', $2, $3, $4, amount_minor, currency
         from orders where sandbox_id = $1`,
      problem === 'card_declined'
        ? [shopper.sandboxId, 'card', 'card_declined', randomUUID()]
        : [shopper.sandboxId, 'balance', null, null],
    );
    for (const kind of ['orders', 'checkout']) {
      expect((await page(`/${kind}/${order.id}?problem=${problem}`)).text).toContain(says);
      expect((await page(`/${kind}/${order.id}?problem=${other}`)).text).not.toContain('role="alert"');
    }
  });

  it.each([
    ['en', 'You can pay it now.', 'Check the address, or look for your order in the shop.'],
    ['id', 'Anda bisa membayarnya sekarang.', 'Periksa alamatnya, atau cari pesanan Anda di toko.'],
  ])('says what to do now in %s', async (locale, pay, look) => {
    const headers = { 'accept-language': locale };
    expect((await page(`/orders/${order.id}`, headers)).text).toContain(pay);
    expect((await page(`/orders/${order.id}?problem=sold_out`, headers)).text).not.toContain(pay);
    expect((await page(`/orders/${randomUUID()}`, headers)).text).toContain(look);
  });

  it.each<Locale>(['en', 'id'])('names each card in %s for a person', async (locale) => {
    const { text } = await page(`/checkout/${order.id}`, { 'accept-language': locale });
    const options = text.matchAll(/<option value="([^"]+)">([^<]+)<\/option>/g);
    const named = Object.fromEntries([...options].map(([, card, name]) => [card, name]));
    expect(named).toEqual(CARD_TEXTS[locale]);
  });

  it('escapes what comes from the database', async () => {
    const title = `</li><script>alert("1")</script>&amp;'`;
    await shop.sql('update order_items set title = $2 where sandbox_id = $1', [shopper.sandboxId, title]);
    for (const kind of ['checkout', 'orders']) {
      const { text } = await page(`/${kind}/${order.id}`);
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;amp;&#39;');
    }
  });

  it('of a payment that is not final loads itself again within 5 seconds', async () => {
    await shop.sql(`update orders set status = 'paying' where sandbox_id = $1`, [shopper.sandboxId]);
    for (const kind of ['checkout', 'orders']) {
      const { text } = await page(`/${kind}/${order.id}`);
      expect(text).toMatch(
        /<noscript><meta http-equiv="refresh" content="[1-5];url=\/orders\/[^"?]+"><\/noscript>/,
      );
      expect(text).toContain(`<a href="/orders/${order.id}">`);
      expect(text).not.toContain('<form');
    }
  });

  it('of a payment that may be under way looks again a few times, and then says what is true', async () => {
    const running = await page(`/orders/${order.id}?problem=request_in_progress`);
    expect(running.text).toContain('http-equiv="refresh"');
    expect(running.text).toContain('look=1');
    expect(running.text).not.toContain('Nothing has been charged');

    const over = await page(`/orders/${order.id}?problem=request_in_progress&look=6`);
    expect(over.text).not.toContain('http-equiv="refresh"');
    expect(over.text).toContain('Nothing has been charged');
  });

  it('without a session holds no order', async () => {
    for (const kind of ['checkout', 'orders']) {
      const { status, text } = await page(`/${kind}/${order.id}`, { cookie: '' });
      expect(status).toBe(200);
      expect(text).toContain('<div id="root"></div>');
    }
  });

  it('never carries the session’s token', async () => {
    expect((await page(`/checkout/${order.id}`)).text).not.toContain(shopper.token);
  });
});
