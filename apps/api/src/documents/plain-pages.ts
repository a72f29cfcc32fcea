import { randomUUID } from 'node:crypto';
import {
  formatMoney,
  type Locale,
  type Money,
  type Order,
  type ProblemCode,
  TEST_CARDS,
} from '@pay-once/contracts';
import { Html, html } from './html.js';
import { PLAIN_TEXTS } from './plain-texts.js';

/** What the server puts into the document before any script has run. */
export interface PlainPage {
  title: string;
  main: Html;
  /** Where a page that is not final yet goes by itself after a few seconds. */
  refreshTo?: string;
}

/** Why a plain page is shown: a problem with the form, and how often the page has looked since. */
export interface PlainReason {
  problem: ProblemCode | undefined;
  looks: number;
}

/** After these a payment may still be under way although its order says unpaid: it is not committed yet. */
const MAY_BE_UNDER_WAY: ReadonlySet<ProblemCode | undefined> = new Set([
  'internal',
  'order_being_paid',
  'request_in_progress',
  'unavailable',
]);

/** What a press of the form was told, and is no contradiction to the receipt. */
const STILL_TRUE_WHEN_PAID: ReadonlySet<ProblemCode | undefined> = new Set([
  'idempotency_key_reused',
  'order_already_paid',
  'unauthenticated',
]);

/** A few seconds each; after so many looks no transaction can still be open, and what the order says is the truth. */
const LOOKS_MAX = 6;

/**
 * The checkout as a plain form. Its hidden key is made with the page: however often this page's button is
 * pressed, it is one intention. A page loaded afresh is another key, and then the order rule holds.
 */
export function plainCheckout(
  order: Order,
  balance: Money,
  formToken: string,
  locale: Locale,
  reason: PlainReason,
): PlainPage {
  const texts = PLAIN_TEXTS[locale];
  if (order.status !== 'unpaid') return plainOrder(order, locale, reason);
  // The order says that it is not paid, whatever the address says.
  const problem = reason.problem === 'order_already_paid' ? undefined : reason.problem;
  const amount = formatMoney(order, locale);
  const byCard = problem === 'card_declined';
  const cards = TEST_CARDS.map((card) => html`<option>${card}</option>`);
  return {
    title: texts.checkout,
    main: html`<main class="plain"><h1>${texts.checkout}</h1>${note(locale, problem)}${summary(order, locale)}
<form class="plain-form" method="post" action="/checkout/${order.id}/pay">
<input type="hidden" name="idempotencyKey" value="${randomUUID()}">
<input type="hidden" name="formToken" value="${formToken}">
<input type="hidden" name="amountMinor" value="${order.amountMinor}">
<input type="hidden" name="currency" value="${order.currency}">
<fieldset><legend>${texts.howToPay}</legend>
<label><input type="radio" name="method" value="balance"${checked(!byCard)}> ${texts.balance}: ${formatMoney(balance, locale)}</label>
<label><input type="radio" name="method" value="card"${checked(byCard)}> ${texts.byCard}</label>
<label>${texts.whatTheNetworkDoes} <select name="card">${cards}</select></label></fieldset>
<button type="submit">${texts.pay(amount)}</button></form>
<p><a href="/">${texts.shop}</a></p></main>`,
  };
}

export function plainOrder(order: Order, locale: Locale, { problem, looks }: PlainReason): PlainPage {
  const texts = PLAIN_TEXTS[locale];
  const payment = order.payments.find((candidate) => candidate.status === 'succeeded');
  const title = `${texts.order} ${order.number}`;
  if (order.status === 'paid' && payment !== undefined) {
    return {
      title,
      main: html`<main class="plain plain-receipt"><h1>${texts.receipt}</h1>${note(locale, STILL_TRUE_WHEN_PAID.has(problem) ? problem : undefined)}
${summary(order, locale)}
<dl><dt>${texts.amount}</dt><dd>${formatMoney(payment, locale)}</dd>
<dt>${texts.date}</dt><dd><time datetime="${payment.createdAt}">${formatInstant(payment.createdAt, locale)}</time></dd>
<dt>${texts.method}</dt><dd>${payment.method.type === 'card' ? texts.byCard : texts.fromBalance}</dd>
<dt>${texts.payment}</dt><dd>${payment.id}</dd></dl>
<p>${texts.charged}</p>${refunds(order, locale)}<p><a href="/">${texts.shop}</a></p></main>`,
    };
  }
  const unconfirmed = order.payments.find((candidate) => candidate.status === 'needs_review');
  if (unconfirmed !== undefined) {
    // Final: no machine will find out, so nothing is gained by looking again.
    return {
      title,
      main: html`<main class="plain"><h1>${title}</h1><p class="plain-note">${texts.needsPerson} ${texts.atMostOnce}</p>
<dl><dt>${texts.payment}</dt><dd>${unconfirmed.id}</dd></dl>${summary(order, locale)}
<p><a href="/">${texts.shop}</a></p></main>`,
    };
  }
  const isUnderWay = MAY_BE_UNDER_WAY.has(problem) && looks < LOOKS_MAX;
  if (order.status === 'paying' || isUnderWay) {
    const refreshTo = `/orders/${order.id}${isUnderWay ? `?problem=${problem}&look=${looks + 1}` : ''}`;
    const noAnswer = problem === 'internal' || problem === 'unavailable';
    return {
      title,
      refreshTo,
      main: html`<main class="plain"><h1>${title}</h1>
<p class="plain-note">${noAnswer ? texts.problem(problem) : texts.paying} ${texts.atMostOnce}</p>
<p><a href="${refreshTo}">${texts.refresh}</a></p></main>`,
    };
  }
  return {
    title,
    main: html`<main class="plain"><h1>${title}</h1>${note(locale, problem)}<p>${texts.unpaid}</p>
${summary(order, locale)}<p><a href="/checkout/${order.id}">${texts.toCheckout}</a></p></main>`,
  };
}

export function plainNotFound(locale: Locale, { problem }: PlainReason): PlainPage {
  const texts = PLAIN_TEXTS[locale];
  return {
    title: texts.notFound,
    main: html`<main class="plain"><h1>${texts.notFound}</h1>${note(locale, problem)}
<p><a href="/">${texts.shop}</a></p></main>`,
  };
}

/** When nothing could be looked up, because of `code`; `address` is where the page comes from again. */
export function plainNotNow(locale: Locale, code: ProblemCode, address: string): PlainPage {
  const texts = PLAIN_TEXTS[locale];
  const isTooOften = code === 'rate_limited';
  const title = isTooOften ? texts.tooOften : texts.notNow;
  return {
    title,
    refreshTo: address,
    main: html`<main class="plain"><h1>${title}</h1>
<p class="plain-note">${isTooOften ? texts.tooOftenNext : texts.notNowNext}</p><p><a href="${address}">${texts.refresh}</a></p></main>`,
  };
}

/** For a press of the form that came without a session, so that there is no order to show. */
export function plainSessionOver(locale: Locale): PlainPage {
  const texts = PLAIN_TEXTS[locale];
  return {
    title: texts.sessionOver,
    main: html`<main class="plain"><h1>${texts.sessionOver}</h1>
<p class="plain-note" role="alert">${texts.sessionOverNext}</p><p><a href="/">${texts.shop}</a></p></main>`,
  };
}

/** What was given back, and what may yet be; nothing when nobody asked for any. */
function refunds(order: Order, locale: Locale): Html {
  const texts = PLAIN_TEXTS[locale];
  if (order.refunds.length === 0) return html``;
  const rows = order.refunds.map(
    (refund) =>
      html`<li>${formatMoney(refund, locale)}: ${texts.refund[refund.status]} (${formatInstant(refund.createdAt, locale)})</li>`,
  );
  return html`<h2>${texts.refunds}</h2><ul>${rows}</ul>`;
}

function note(locale: Locale, problem: ProblemCode | undefined): Html {
  if (problem === undefined) return html``;
  const tone = MAY_BE_UNDER_WAY.has(problem) ? 'waiting' : 'refused';
  return html`<p class="plain-note" data-tone="${tone}" role="alert">${PLAIN_TEXTS[locale].problem(problem)}</p>`;
}

function checked(isChosen: boolean): Html {
  return isChosen ? html` checked` : html``;
}

function summary(order: Order, locale: Locale): Html {
  const texts = PLAIN_TEXTS[locale];
  const items = order.items.map((item) => html`<li>${item.quantity} × ${item.title}</li>`);
  return html`<dl><dt>${texts.order}</dt><dd>${order.number}</dd><dt>${texts.items}</dt><dd><ul>${items}</ul></dd>
<dt>${texts.total}</dt><dd>${formatMoney(order, locale)}</dd></dl>`;
}

/** As the shop's own pages write dates: the day first, in both. */
const DATE_LOCALES: Record<Locale, string> = { en: 'en-GB', id: 'id-ID' };

/** With the zone: without one, nobody can tell the server's clock from the reader's. */
function formatInstant(instant: string, locale: Locale): string {
  return new Intl.DateTimeFormat(DATE_LOCALES[locale], {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(instant));
}
