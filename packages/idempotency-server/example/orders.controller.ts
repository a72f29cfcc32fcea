import { BadRequestException, Body, Controller, Post, Req, Res } from '@nestjs/common';
import { IdempotencyService, readIdempotencyKey } from '@pay-once/idempotency-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrderEntity } from './order.entity.js';
import { sendOutcome } from './send-outcome.js';

@Controller('orders')
export class OrdersController {
  constructor(private readonly idempotency: IdempotencyService) {}

  @Post()
  async create(
    @Body() body: { concert: string; seats: number }, // validated by a pipe of yours
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const parsed = readIdempotencyKey(request.raw.rawHeaders);
    if (parsed.kind !== 'valid') throw new BadRequestException('Send one Idempotency-Key.');
    const command = {
      tenantId: 'shop', // the account of the authenticated caller
      key: parsed.key,
      operation: 'orders.create',
      fields: { concert: body.concert, seats: body.seats },
    };
    const outcome = await this.idempotency.runInTransaction(command, async (manager) => {
      const order = await manager.save(OrderEntity, manager.create(OrderEntity, command.fields));
      return {
        status: 201,
        contentType: 'application/json; charset=utf-8',
        location: `/orders/${order.id}`,
        body: Buffer.from(JSON.stringify(order)),
      };
    });
    sendOutcome(reply, outcome);
  }
}
