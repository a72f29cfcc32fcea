import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { type Cart, setCartItemSchema } from '@pay-once/contracts';
import type { z } from 'zod';
import { CurrentSandboxId } from '../identity.js';
import { PathIdPipe } from '../path-id.pipe.js';
import { CartService } from './cart.service.js';

@Controller('api/cart')
export class CartController {
  constructor(private readonly cart: CartService) {}

  @Get()
  async show(@CurrentSandboxId() sandboxId: string): Promise<Cart> {
    return this.cart.show(sandboxId);
  }

  @Put('items/:concertId')
  async setItem(
    @CurrentSandboxId() sandboxId: string,
    @Param('concertId', PathIdPipe) concertId: string,
    @Body({ schema: setCartItemSchema }) body: z.infer<typeof setCartItemSchema>,
  ): Promise<Cart> {
    await this.cart.setItem(sandboxId, concertId, body.quantity);
    return this.cart.show(sandboxId);
  }
}
