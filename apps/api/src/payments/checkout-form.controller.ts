import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { createPaymentSchema, type PaymentMethod, TEST_CARDS } from '@pay-once/contracts';
import { IdempotencyService, parseIdempotencyKey, readIdempotencyKey } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isFormToken, unauthenticated } from '../identity.js';
import { answerOf, nameOperation, requireKey } from '../keyed-reply.js';
import { OrdersService } from '../orders/orders.service.js';
import { PathIdPipe } from '../path-id.pipe.js';
import { ProblemError } from '../problem-error.js';
import { runPayment } from './payments.controller.js';
import { PaymentsService } from './payments.service.js';

/** The fields of the plain form: texts, as forms send them. */
const formSchema = z.strictObject({
  idempotencyKey: z.string().default(''),
  formToken: z.string(),
  amountMinor: z
    .string()
    .regex(/^[0-9]{1,14}$/)
    .transform(Number)
    .pipe(createPaymentSchema.shape.amountMinor),
  currency: createPaymentSchema.shape.currency,
  method: z.enum(['balance', 'card']).default('balance'),
  /** Which card is chosen, also while the balance is. */
  card: z.enum(TEST_CARDS).default('card_visa_approved'),
});

/** The checkout without JavaScript. Always answers 303 to a page that GETs, so reload and Back send nothing. */
@Controller('checkout')
export class CheckoutFormController {
  constructor(
    readonly idempotency: IdempotencyService,
    readonly payments: PaymentsService,
    private readonly orders: OrdersService,
  ) {}

  @Post(':orderId/pay')
  async pay(
    @Param('orderId', PathIdPipe) orderId: string,
    @Body({ schema: formSchema }) form: z.infer<typeof formSchema>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { identity } = request;
    if (identity === undefined || !isFormToken(identity, form.formToken)) throw unauthenticated();
    const { sandboxId } = identity;
    const key = requireFormKey(request, form.idempotencyKey);
    nameOperation(reply, sandboxId, key);

    const { amountMinor, currency, card } = form;
    const method: PaymentMethod =
      form.method === 'card' ? { type: form.method, card } : { type: form.method };
    const command = { sandboxId, orderId, amountMinor, currency, method };
    const outcome = await runPayment(this, key, command, request.id);
    if (outcome.kind === 'key_reused') await this.orders.requireOrder(sandboxId, orderId);
    // Not known yet: the order's page says so, and looks again by itself.
    const status = outcome.kind === 'unfinished' ? 202 : answerOf(outcome).answer.status;
    if (status === 402) {
      throw method.type === 'card'
        ? new ProblemError('card_declined', 'The card was declined. Nothing was charged.')
        : new ProblemError('balance_insufficient', 'The balance is not enough. Nothing was charged.');
    }
    void reply.redirect(`/orders/${orderId}`, 303);
  }
}

/** A form carries its key as a field. A header beside it must say the same, or nobody knows which is meant. */
function requireFormKey(request: FastifyRequest, field: string): string {
  const header = readIdempotencyKey(request.raw.rawHeaders);
  const key = requireKey(header.kind === 'missing' ? parseIdempotencyKey(field) : header);
  if (field !== '' && requireKey(parseIdempotencyKey(field)) !== key) {
    throw new ProblemError('idempotency_key_invalid', 'The header and the form field are different keys.');
  }
  return key;
}
