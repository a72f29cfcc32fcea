import { randomUUID } from 'node:crypto';
import { formatMoney, type Locale, type Order, type Payment, paymentSchema } from '@pay-once/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { send } from './http-request.js';
import { useShop } from './shop.js';
import type { Shopper } from './shopper.js';

const shop = useShop();

let shopper: Shopper;
let order: Order;
let payment: Payment;

beforeEach(async () => {
  shopper = await shop.newShopper();
  order = await shopper.order();
  const reply = await shopper.pay(order, { key: randomUUID() });
  payment = paymentSchema.parse(JSON.parse(reply.text));
});

/** The lines of the order's page as a person reads them without JavaScript, the first one first. */
async function linesOf(locale: Locale): Promise<string[]> {
  const headers = {
    cookie: `pay_once_session=${shopper.token}`,
    accept: 'text/html',
    'accept-language': locale,
  };
  const { status, text } = await send(`${shop.url}/orders/${order.id}`, { method: 'GET', headers });
  expect(status).toBe(200);
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  return main
    .replace(/<\/?(h\d|p|dt|dd|li|a)\b[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

async function giveBack(amountMinor: number): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const path = `/api/payments/${payment.id}/refunds`;
  expect((await shopper.send('POST', path, { headers, body: { amountMinor } })).status).toBe(201);
}

/** A refund of the whole payment, as it stands before anybody knows how it ends. */
async function refundStands(status: 'processing' | 'needs_review' | 'declined'): Promise<string> {
  const id = randomUUID();
  const review = status === 'needs_review' ? 'A test has made it so.' : null;
  const values = [id, shopper.sandboxId, payment.id, status, payment.amountMinor, payment.currency, review];
  await shop.sql(
    `insert into refunds (id, sandbox_id, payment_id, status, amount_minor, currency, review_reason)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    values,
  );
  return id;
}

function money(amountMinor: number, locale: Locale): string {
  return formatMoney({ amountMinor, currency: order.currency }, locale);
}

describe.each<Locale>(['en', 'id'])('the receipt in %s begins with', (locale) => {
  const isEnglish = locale === 'en';

  it('what was charged, and that there is nothing else to do', async () => {
    expect((await linesOf(locale)).slice(0, 2)).toEqual(
      isEnglish
        ? ['Paid. You were charged once.', 'There is nothing else to do.']
        : ['Lunas. Anda terpotong satu kali.', 'Tidak ada lagi yang perlu dilakukan.'],
    );
  });

  it('all that was given back, and how often', async () => {
    await giveBack(payment.amountMinor - 100);
    await giveBack(100);
    const all = money(payment.amountMinor, locale);
    expect((await linesOf(locale)).slice(0, 2)).toEqual(
      isEnglish
        ? [
            `Refunded in full: ${all}.`,
            'You were charged once and refunded 2 times. There is nothing else to do.',
          ]
        : [
            `Dikembalikan seluruhnya: ${all}.`,
            'Anda terpotong satu kali dan menerima pengembalian 2 kali. Tidak ada lagi yang perlu dilakukan.',
          ],
    );
  });

  it('the part that was given back', async () => {
    await giveBack(100_000);
    await refundStands('declined');
    const [part, all] = [money(100_000, locale), money(payment.amountMinor, locale)];
    expect((await linesOf(locale)).slice(0, 2)).toEqual(
      isEnglish
        ? [
            `Partly refunded: ${part} of ${all}.`,
            'You were charged once and refunded once. There is nothing else to do.',
          ]
        : [
            `Dikembalikan sebagian: ${part} dari ${all}.`,
            'Anda terpotong satu kali dan menerima pengembalian satu kali. Tidak ada lagi yang perlu dilakukan.',
          ],
    );
  });

  it('a refund that is being processed, before what was given back earlier', async () => {
    await giveBack(100_000);
    await refundStands('processing');
    const all = money(payment.amountMinor, locale);
    expect((await linesOf(locale)).slice(0, 3)).toEqual(
      isEnglish
        ? [
            `A refund of ${all} is being processed.`,
            'No need to ask for it again.',
            'It is given back at most once. This page changes by itself.',
          ]
        : [
            `Pengembalian ${all} sedang diproses.`,
            'Tidak perlu diminta lagi.',
            'Paling banyak dikembalikan satu kali. Halaman ini berubah sendiri.',
          ],
    );
  });

  it('a refund that a person has to look at, before everything else', async () => {
    await refundStands('processing');
    const id = await refundStands('needs_review');
    const all = money(payment.amountMinor, locale);
    expect((await linesOf(locale)).slice(0, 4)).toEqual(
      isEnglish
        ? [
            'We cannot confirm the refund.',
            'Staff will reconcile it. Keep this number. Do not ask for it again.',
            `${all} is given back at most once. There is nothing for you to do now.`,
            `Your number: ${id}`,
          ]
        : [
            'Pengembaliannya belum bisa dipastikan.',
            'Petugas akan mencocokkannya. Simpan nomor ini. Jangan minta lagi.',
            `${all} paling banyak dikembalikan satu kali. Untuk sekarang tidak ada yang perlu Anda lakukan.`,
            `Nomor Anda: ${id}`,
          ],
    );
  });

  it('the payment, when the one refund was refused', async () => {
    await refundStands('declined');
    const [first] = await linesOf(locale);
    expect(first).toBe(isEnglish ? 'Paid. You were charged once.' : 'Lunas. Anda terpotong satu kali.');
  });
});

it.each<[Locale, string, string]>([
  ['en', 'Your e-ticket is on its way. Open this page again to see it.', 'Issued on'],
  ['id', 'E-tiket Anda sedang dikirim. Buka lagi halaman ini untuk melihatnya.', 'Terbit'],
])(
  'the receipt in %s holds the e-ticket, and says so while it is on its way',
  async (locale, onItsWay, issued) => {
    expect(await linesOf(locale)).toContain(onItsWay);
    const id = randomUUID();
    await shop.sql('insert into tickets (id, sandbox_id, order_id) values ($1, $2, $3)', [
      id,
      shopper.sandboxId,
      order.id,
    ]);
    const lines = await linesOf(locale);
    expect(lines).not.toContain(onItsWay);
    expect(lines).toContain(id);
    expect(lines.find((line) => line.startsWith(issued))).toMatch(/20\d\d/);
  },
);

it('A refund that is being processed lets the page load itself again, and one that waits for a person does not', async () => {
  const document = async (): Promise<string> => {
    const headers = { cookie: `pay_once_session=${shopper.token}`, accept: 'text/html' };
    return (await send(`${shop.url}/orders/${order.id}`, { method: 'GET', headers })).text;
  };
  await refundStands('processing');
  expect(await document()).toMatch(/http-equiv="refresh" content="[1-5];url=\/orders\/[^"?]+"/);
  await refundStands('needs_review');
  expect(await document()).not.toContain('http-equiv="refresh"');
});
