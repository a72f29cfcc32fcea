import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { createPaymentSchema } from '@pay-once/contracts';
import { IdempotencyService, parseIdempotencyKey, readIdempotencyKey } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isFormToken, unauthenticated } from '../identity.js';
import { answerOf, nameOperation, requireKey } from '../keyed-reply.js';
import { OrdersService } from '../orders/orders.service.js';
import { PathIdPipe } from '../path-id.pipe.js';
import { ProblemError } from '../problem-error.js';
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
});

/** The checkout without JavaScript. Always answers 303 to a page that GETs, so reload and Back send nothing. */
@Controller('checkout')
export class CheckoutFormController {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly payments: PaymentsService,
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

    const { amountMinor, currency } = form;
    const command = { sandboxId, orderId, amountMinor, currency, method: { type: 'balance' as const } };
    const outcome = await this.idempotency.runInTransaction(this.payments.keyed(key, command), (manager) =>
      this.payments.payFromBalance(manager, command, request.id),
    );
    if (outcome.kind === 'key_reused') await this.orders.requireOrder(sandboxId, orderId);
    const { answer } = answerOf(outcome);
    if (answer.status === 402) {
      throw new ProblemError('balance_insufficient', 'The balance is not enough. Nothing was charged.');
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
