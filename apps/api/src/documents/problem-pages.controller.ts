import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { PROBLEMS, problemCodes } from '@pay-once/contracts';
import type { FastifyReply } from 'fastify';
import { notFound } from '../path-id.pipe.js';
import { html } from './html.js';
import { PAGE_SHELL, type PageShell } from './page-shell.js';
import { PROBLEM_TEXTS, PROBLEM_TITLES_ID, type ProblemText } from './problem-texts.js';

/** The pages that a problem's `type` names: what it means, whether money moved, what to do. */
@Controller('problems')
export class ProblemPagesController {
  constructor(@Inject(PAGE_SHELL) private readonly shell: PageShell) {}

  @Get(':code')
  show(@Param('code') code: string, @Res() reply: FastifyReply): void {
    const known = problemCodes.find((candidate) => candidate === code);
    if (known === undefined) throw notFound();
    const { status, title, retry } = PROBLEMS[known];
    const { en, id } = PROBLEM_TEXTS[known];
    const main = html`<main class="plain"><h1>${title}</h1>
<p><code>${known}</code>, HTTP ${status}, retry: <code>${retry}</code></p>
${section(en, ['What it means', 'Did money move?', 'What to do now'])}
<div lang="id"><h2>${PROBLEM_TITLES_ID[known]}</h2>
${section(id, ['Artinya', 'Apakah uang berpindah?', 'Yang perlu dilakukan'])}</div>
<p><a href="/">Pay Once</a></p></main>`;
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(this.shell.renderWithoutScript(`${title} · Pay Once`, main));
  }
}

function section(text: ProblemText, headings: readonly [string, string, string]) {
  const [means, money, next] = headings;
  return html`<h2>${means}</h2><p>${text.means}</p><h2>${money}</h2><p>${text.money}</p><h2>${next}</h2><p>${text.next}</p>`;
}
