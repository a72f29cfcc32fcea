import type { Currency, PaymentStatus } from '@pay-once/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MINOR_UNITS } from '../minor-units.column.js';

@Entity('refunds')
export class RefundEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'sandbox_id' })
  sandboxId!: string;

  @Column('uuid', { name: 'payment_id' })
  paymentId!: string;

  @Column('text')
  status!: PaymentStatus;

  @Column('bigint', { name: 'amount_minor', transformer: MINOR_UNITS })
  amountMinor!: number;

  @Column('text')
  currency!: Currency;

  /** Set when the money goes back to a card: the operation under whose key the refund was made. */
  @Column('uuid', { name: 'operation_id', nullable: true })
  operationId!: string | null;

  /** Set when the status is `needs_review`. */
  @Column('text', { name: 'review_reason', nullable: true })
  reviewReason!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt!: Date;
}
