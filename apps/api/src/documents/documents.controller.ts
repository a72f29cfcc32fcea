import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { PROBLEMS, problemCodes } from '@pay-once/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formTokenOf } from '../identity.js';
import { pathOf } from '../known-addresses.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { OrdersService } from '../orders/orders.service.js';
import { notFound } from '../path-id.pipe.js';
import { toProblem } from '../problem.filter.js';
import { ProblemError } from '../problem-error.js';
import { languageOf } from './language.js';
import { isPage, orderPageOf } from './page-addresses.js';
import { PAGE_SHELL, type PageShell } from './page-shell.js';
import type { PlainPage } from './plain-page.js';
import { plainCheckout, plainNotFound, plainNotNow, plainOrder, plainSessionOver } from './plain-pages.js';

/** Serves the web app's document for every address of the shop. Must be the last controller. */
@Controller()
export class DocumentsController {
  constructor(
    private readonly orders: OrdersService,
    private readonly ledger: LedgerService,
    @Inject(PAGE_SHELL) private readonly shell: PageShell,
  ) {}

  @Get('*')
  async show(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: Record<string, unknown>,
  ): Promise<void> {
    const accept = request.headers.accept ?? '*/*';
    if (!isPage(pathOf(request.url)) || !/text\/html|\*\/\*/.test(accept)) throw notFound();
    const locale = languageOf(request);
    const { status, page, retryAfterSeconds } = await this.plainPage(request, query);
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
    void reply
      .status(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language, cookie')
      .send(this.shell.render(locale, page));
  }

  /** The order pages work without a script; every other page starts empty. */
  private async plainPage(request: FastifyRequest, query: Record<string, unknown>): Promise<ShownPage> {
    const orderPage = orderPageOf(pathOf(request.url));
    if (orderPage === undefined) return { status: 200, page: undefined };
    const { kind, orderId } = orderPage;
    const locale = languageOf(request);
    const { refusal } = request;
    if (refusal !== undefined && refusal.code !== 'unauthenticated') return notNow(refusal, request);
    const reason = {
      problem: problemCodes.find((known) => known === query['problem']),
      looks: Number(/^\d$/.exec(String(query['look']))?.[0] ?? 0),
    };
    const { identity } = request;
    if (identity === undefined) {
      return {
        status: 200,
        page: reason.problem === 'unauthenticated' ? plainSessionOver(locale) : undefined,
      };
    }
    try {
      const order = await this.orders.show(identity.sandboxId, orderId.toLowerCase());
      if (kind === 'orders') return { status: 200, page: plainOrder(order, locale, reason) };
      const balance = await this.ledger.balance(identity.sandboxId);
      return { status: 200, page: plainCheckout(order, balance, formTokenOf(identity), locale, reason) };
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'not_found') {
        return { status: 404, page: plainNotFound(locale, reason) };
      }
      return notNow(toProblem(error), request);
    }
  }
}

interface ShownPage {
  status: number;
  page: PlainPage | undefined;
  retryAfterSeconds?: number | undefined;
}

/** A person gets a page, also when nothing could be looked up. */
function notNow({ code, extra: { retryAfterSeconds } }: ProblemError, request: FastifyRequest): ShownPage {
  const page = plainNotNow(languageOf(request), code, request.url);
  return { status: PROBLEMS[code].status, page, retryAfterSeconds };
}
