import type { Currency, PaymentMethod, PaymentStatus, TestCard } from '@pay-once/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MINOR_UNITS } from '../minor-units.column.js';

@Entity('payments')
export class PaymentEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'sandbox_id' })
  sandboxId!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('text')
  status!: PaymentStatus;

  @Column('bigint', { name: 'amount_minor', transformer: MINOR_UNITS })
  amountMinor!: number;

  @Column('text')
  currency!: Currency;

  @Column('text')
  method!: PaymentMethod['type'];

  /** Set when the method is `card`. */
  @Column('text', { nullable: true })
  card!: TestCard | null;

  /** Set when the payment crosses to the card network: the operation under whose key it was made. */
  @Column('uuid', { name: 'operation_id', nullable: true })
  operationId!: string | null;

  /** What of it refunds have taken, or may yet take. */
  @Column('bigint', { name: 'refunded_minor', transformer: MINOR_UNITS, default: 0 })
  refundedMinor!: number;

  /** Set when the status is `needs_review`. */
  @Column('text', { name: 'review_reason', nullable: true })
  reviewReason!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
