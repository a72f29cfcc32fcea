import { Injectable } from '@nestjs/common';
import type { Cart, Currency } from '@pay-once/contracts';
import { DataSource } from 'typeorm';
import { notFound, requireId } from '../path-id.pipe.js';
import { CartItemEntity } from './cart-item.entity.js';

interface CartRow {
  concert_id: string;
  title: string;
  quantity: number;
  seats_left: number;
  amount_minor: string;
  currency: Currency;
}

/** Every concert is priced in it; an empty cart has to say something, too. */
const SHOP_CURRENCY: Currency = 'IDR';

@Injectable()
export class CartService {
  constructor(private readonly dataSource: DataSource) {}

  async show(sandboxId: string): Promise<Cart> {
    const rows: CartRow[] = await this.dataSource.query(
      `select concert_id, title, quantity, seats_left, amount_minor, currency
         from cart_items join concerts on id = concert_id join concert_seats using (sandbox_id, concert_id)
        where sandbox_id = $1 order by starts_at`,
      [sandboxId],
    );
    const items = rows.map((row) => ({
      concertId: row.concert_id,
      title: row.title,
      quantity: row.quantity,
      seatsLeft: row.seats_left,
      amountMinor: Number(row.amount_minor),
      currency: row.currency,
    }));
    const amountMinor = items.reduce((sum, item) => sum + item.amountMinor * item.quantity, 0);
    return { items, amountMinor, currency: SHOP_CURRENCY };
  }

  /** Sets how many seats of a concert are in the cart; 0 takes it out. */
  async setItem(sandboxId: string, concertId: string, quantity: number): Promise<void> {
    requireId(concertId);
    const { manager } = this.dataSource;
    const known: unknown[] = await manager.query('select 1 from concerts where id = $1', [concertId]);
    if (known.length === 0) throw notFound();
    if (quantity === 0) await manager.delete(CartItemEntity, { sandboxId, concertId });
    else await manager.upsert(CartItemEntity, { sandboxId, concertId, quantity }, ['sandboxId', 'concertId']);
  }
}
