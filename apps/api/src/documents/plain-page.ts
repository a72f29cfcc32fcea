import { formatMoney, type Locale, type Order, type ProblemCode } from '@pay-once/contracts';
import { type Html, html } from './html.js';
import { MAY_BE_UNDER_WAY } from './plain-reason.js';
import { PLAIN_TEXTS } from './plain-texts.js';

/** What the server puts into the document before any script has run. */
export interface PlainPage {
  title: string;
  main: Html;
  /** Where a page that is not final yet goes by itself after a few seconds. */
  refreshTo?: string;
}

export function note(locale: Locale, problem: ProblemCode | undefined): Html {
  if (problem === undefined) return html``;
  const tone = MAY_BE_UNDER_WAY.has(problem) ? 'waiting' : 'refused';
  return html`<p class="plain-note" data-tone="${tone}" role="alert">${PLAIN_TEXTS[locale].problem(problem)}</p>`;
}

export function summary(order: Order, locale: Locale): Html {
  const texts = PLAIN_TEXTS[locale];
  const items = order.items.map((item) => html`<li>${item.quantity} × ${item.title}</li>`);
  return html`<dl><dt>${texts.order}</dt><dd>${order.number}</dd><dt>${texts.items}</dt><dd><ul>${items}</ul></dd>
<dt>${texts.total}</dt><dd>${formatMoney(order, locale)}</dd></dl>`;
}
