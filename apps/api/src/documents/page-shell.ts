import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@pay-once/contracts';
import { Html, html } from './html.js';
import type { PlainPage } from './plain-page.js';

/** Injection token of `PageShell`. */
export const PAGE_SHELL = Symbol('page shell');

const REFRESH_SECONDS = 3;

/** What an API without a web app serves. */
const BARE_DOCUMENT =
  '<!doctype html><html lang="en"><head><title>Pay Once</title></head><body><div id="root"></div></body></html>';

/** The web app's document, into which a plain page can be put; React replaces it as soon as it runs. */
export class PageShell {
  private readonly stylesheets: Html;

  constructor(private readonly document: string) {
    this.stylesheets = new Html((document.match(/<link[^>]+rel="stylesheet"[^>]*>/g) ?? []).join(''));
  }

  /** Reads `index.html` of the built web app once. */
  static read(webDist: string | undefined): PageShell {
    if (webDist === undefined) return new PageShell(BARE_DOCUMENT);
    return new PageShell(readFileSync(join(webDist, 'index.html'), 'utf8'));
  }

  render(locale: Locale, page: PlainPage | undefined): string {
    // A script that runs looks after itself; only without one does the document have to come again.
    const refresh =
      page?.refreshTo === undefined
        ? html``
        : html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS};url=${page.refreshTo}"></noscript>`;
    return this.document
      .replace(/<html lang="[^"]*"/, `<html lang="${locale}"`)
      .replace('</head>', () => `${refresh.text}</head>`)
      .replace('<div id="root"></div>', () => `<div id="root">${page?.main.text ?? ''}</div>`);
  }

  /** A page of the server's own in the web app's looks. */
  renderWithoutScript(title: string, main: Html): string {
    return html`${new Html('<!doctype html>')}<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${this.stylesheets}</head>
<body>${main}</body></html>`.text;
  }
}
