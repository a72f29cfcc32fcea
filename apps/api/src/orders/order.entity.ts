import type { Currency, OrderStatus } from '@pay-once/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MINOR_UNITS } from '../minor-units.column.js';

/** The client makes the id, so it is unique within its sandbox only: two sandboxes may choose the same. */
@Entity('orders')
export class OrderEntity {
  @PrimaryColumn('uuid', { name: 'sandbox_id' })
  sandboxId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  status!: OrderStatus;

  @Column('bigint', { name: 'amount_minor', transformer: MINOR_UNITS })
  amountMinor!: number;

  @Column('text')
  currency!: Currency;
}
