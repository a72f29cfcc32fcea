import type { Currency } from '@pay-once/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MINOR_UNITS } from '../minor-units.column.js';

/** Title and price as they were when the order was made; they never change with the catalogue. */
@Entity('order_items')
export class OrderItemEntity {
  @PrimaryColumn('uuid', { name: 'sandbox_id' })
  sandboxId!: string;

  @PrimaryColumn('uuid', { name: 'order_id' })
  orderId!: string;

  @PrimaryColumn('uuid', { name: 'concert_id' })
  concertId!: string;

  @Column('text')
  title!: string;

  @Column('integer')
  quantity!: number;

  /** The price of one seat. */
  @Column('bigint', { name: 'amount_minor', transformer: MINOR_UNITS })
  amountMinor!: number;

  @Column('text')
  currency!: Currency;
}
