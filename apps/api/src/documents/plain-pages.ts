import { randomUUID } from 'node:crypto';
import {
  formatMoney,
  type Locale,
  type Money,
  type Order,
  type ProblemCode,
  TEST_CARDS,
} from '@pay-once/contracts';
import { type Html, html } from './html.js';
import { note, type PlainPage, summary } from './plain-page.js';
import { MAY_BE_UNDER_WAY, type PlainReason, saidOf } from './plain-reason.js';
import { plainReceipt } from './plain-receipt.js';
import { PLAIN_TEXTS } from './plain-texts.js';

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
  const said = saidOf(order, reason);
  const amount = formatMoney(order, locale);
  const byCard = said === 'card_declined';
  const cards = TEST_CARDS.map((card) => html`<option value="${card}">${texts.card[card]}</option>`);
  return {
    title: texts.checkout,
    main: html`<main class="plain"><h1>${texts.checkout}</h1>${note(locale, said)}${summary(order, locale)}
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

export function plainOrder(order: Order, locale: Locale, reason: PlainReason): PlainPage {
  const texts = PLAIN_TEXTS[locale];
  const { problem, looks } = reason;
  const said = saidOf(order, reason);
  const payment = order.payments.find((candidate) => candidate.status === 'succeeded');
  if (order.status === 'paid' && payment !== undefined) return plainReceipt(order, payment, locale, said);
  const title = `${texts.order} ${order.number}`;
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
  // No look will change any more what the order says.
  const settled = MAY_BE_UNDER_WAY.has(said) ? undefined : said;
  return {
    title,
    main: html`<main class="plain"><h1>${title}</h1>${note(locale, settled)}
<p>${texts.unpaid}${settled === undefined ? ` ${texts.unpaidNext}` : ''}</p>
${summary(order, locale)}<p><a href="/checkout/${order.id}">${texts.toCheckout}</a></p></main>`,
  };
}

export function plainNotFound(locale: Locale, reason: PlainReason): PlainPage {
  const texts = PLAIN_TEXTS[locale];
  return {
    title: texts.notFound,
    main: html`<main class="plain"><h1>${texts.notFound}</h1>${note(locale, saidOf(undefined, reason))}
<p>${texts.notFoundNext}</p><p><a href="/">${texts.shop}</a></p></main>`,
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

function checked(isChosen: boolean): Html {
  return isChosen ? html` checked` : html``;
}
