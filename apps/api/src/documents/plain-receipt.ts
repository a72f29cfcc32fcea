import { formatMoney, type Locale, type Order, type Payment, type ProblemCode } from '@pay-once/contracts';
import { type Html, html } from './html.js';
import { note, type PlainPage, summary } from './plain-page.js';
import { RECEIPT_TEXTS } from './plain-receipt-texts.js';
import { PLAIN_TEXTS } from './plain-texts.js';

/** What a paid order was charged and given back: first how it stands and what to do now, then the proof of it. */
export function plainReceipt(
  order: Order,
  payment: Payment,
  locale: Locale,
  said: ProblemCode | undefined,
): PlainPage {
  const texts = RECEIPT_TEXTS[locale];
  const { shop, order: orderWord, payment: paymentWord } = PLAIN_TEXTS[locale];
  return {
    title: `${orderWord} ${order.number}`,
    ...(isBeingRefunded(order) && { refreshTo: `/orders/${order.id}` }),
    main: html`<main class="plain plain-receipt">${standing(order, locale)}${note(locale, said)}
${summary(order, locale)}
<dl><dt>${texts.amount}</dt><dd>${formatMoney(payment, locale)}</dd>
<dt>${texts.date}</dt><dd>${instant(payment.createdAt, locale)}</dd>
<dt>${texts.method}</dt><dd>${methodOf(payment, locale)}</dd>
<dt>${paymentWord}</dt><dd>${payment.id}</dd></dl>
<p>${texts.charged}</p>${refunds(order, locale)}${tickets(order, locale)}<p><a href="/">${shop}</a></p></main>`,
  };
}

/** How the money stands. What is not settled yet comes first; a refund that was refused changed nothing. */
function standing(order: Order, locale: Locale): Html {
  const texts = RECEIPT_TEXTS[locale];
  const unconfirmed = order.refunds.find((refund) => refund.status === 'needs_review');
  if (unconfirmed !== undefined) {
    return html`<h1>${texts.needsPerson}</h1><p class="plain-note">${texts.needsPersonNext}</p>
<p>${texts.needsPersonHint(formatMoney(unconfirmed, locale))}</p><p>${texts.keptNumber}: ${unconfirmed.id}</p>`;
  }
  const underWay = order.refunds.find((refund) => refund.status === 'processing');
  if (underWay !== undefined) {
    return html`<h1>${texts.processing(formatMoney(underWay, locale))}</h1>
<p class="plain-note">${texts.processingNext}</p><p>${texts.processingHint}</p>`;
  }
  const given = order.refunds.filter((refund) => refund.status === 'succeeded');
  if (given.length === 0) return html`<h1>${texts.paid}</h1><p>${texts.nothingToDo}</p>`;
  const amountMinor = given.reduce((sum, refund) => sum + refund.amountMinor, 0);
  const amount = formatMoney({ ...order, amountMinor }, locale);
  const isFull = amountMinor >= order.amountMinor;
  return html`<h1>${isFull ? texts.full(amount) : texts.partly(amount, formatMoney(order, locale))}</h1>
<p>${texts.refunded(given.length)} ${texts.nothingToDo}</p>`;
}

/** Not when one waits for a person: nothing is gained by looking again. */
function isBeingRefunded({ refunds }: Order): boolean {
  return (
    refunds.some(({ status }) => status === 'processing') &&
    !refunds.some(({ status }) => status === 'needs_review')
  );
}

function methodOf({ method }: Payment, locale: Locale): string {
  const { byCard, card } = PLAIN_TEXTS[locale];
  return method.type === 'card' ? `${byCard}: ${card[method.card]}` : RECEIPT_TEXTS[locale].fromBalance;
}

/** What was given back, and what may yet be; nothing when nobody asked for any. */
function refunds(order: Order, locale: Locale): Html {
  const texts = RECEIPT_TEXTS[locale];
  if (order.refunds.length === 0) return html``;
  const rows = order.refunds.map(
    (refund) =>
      html`<li>${formatMoney(refund, locale)}: ${texts.refund[refund.status]} (${instant(refund.createdAt, locale)})</li>`,
  );
  return html`<h2>${texts.refunds}</h2><ul>${rows}</ul>`;
}

function tickets(order: Order, locale: Locale): Html {
  const texts = RECEIPT_TEXTS[locale];
  const rows = order.tickets.map(
    ({ id, issuedAt }) => html`<dt>${texts.issued} ${instant(issuedAt, locale)}</dt><dd>${id}</dd>`,
  );
  const shown = rows.length === 0 ? html`<p>${texts.ticketsOnTheWay}</p>` : html`<dl>${rows}</dl>`;
  return html`<h2>${texts.tickets}</h2>${shown}`;
}

/** As the shop's own pages write dates: the day first, in both. */
const DATE_LOCALES: Record<Locale, string> = { en: 'en-GB', id: 'id-ID' };

/** With the zone: without one, nobody can tell the server's clock from the reader's. */
function instant(at: string, locale: Locale): Html {
  const format = new Intl.DateTimeFormat(DATE_LOCALES[locale], {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  });
  return html`<time datetime="${at}">${format.format(new Date(at))}</time>`;
}
