import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@pay-once/contracts';
import { html } from './html.js';
import type { PlainPage } from './plain-pages.js';

/** Injection token of `PageShell`. */
export const PAGE_SHELL = Symbol('page shell');

/** The web app's document, into which a plain page can be put; React replaces it as soon as it runs. */
export class PageShell {
  private constructor(private readonly document: string) {}

  /** Reads `index.html` of the built web app once. */
  static read(webDist: string): PageShell {
    return new PageShell(readFileSync(join(webDist, 'index.html'), 'utf8'));
  }

  /** For an API without a web app. */
  static none(): PageShell {
    return new PageShell(
      '<!doctype html><html lang="en"><title>Pay Once</title><div id="root"></div></html>',
    );
  }

  render(locale: Locale, page: PlainPage | undefined): string {
    const head =
      page?.refreshSeconds === undefined
        ? ''
        : html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}"></noscript></head>`.text;
    return this.document
      .replace(/<html lang="[^"]*"/, `<html lang="${locale}"`)
      .replace('</head>', () => head || '</head>')
      .replace('<div id="root"></div>', () => `<div id="root">${page?.main.text ?? ''}</div>`);
  }
}
