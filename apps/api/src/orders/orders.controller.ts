import { Body, Controller, Get, Param, Put, Res } from '@nestjs/common';
import { idSchema, type Order, type PutOrder, putOrderSchema } from '@pay-once/contracts';
import type { FastifyReply } from 'fastify';
import { CurrentSandboxId } from '../identity.js';
import { PathIdPipe } from '../path-id.pipe.js';
import { OrdersService } from './orders.service.js';

@Controller('api/orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  async list(@CurrentSandboxId() sandboxId: string): Promise<{ orders: Order[] }> {
    return { orders: await this.orders.list(sandboxId) };
  }

  @Get(':orderId')
  async show(
    @CurrentSandboxId() sandboxId: string,
    @Param('orderId', PathIdPipe) orderId: string,
  ): Promise<Order> {
    return this.orders.show(sandboxId, orderId);
  }

  /** The client chose the id, so sending it again is the same order: no key is needed. */
  @Put(':orderId')
  async put(
    @CurrentSandboxId() sandboxId: string,
    @Param('orderId', { schema: idSchema }) orderId: string,
    @Body({ schema: putOrderSchema }) body: PutOrder,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Order> {
    const result = await this.orders.put(sandboxId, orderId, body.items);
    if (result === 'created') reply.status(201).header('location', `/api/orders/${orderId}`);
    return this.orders.show(sandboxId, orderId);
  }
}
