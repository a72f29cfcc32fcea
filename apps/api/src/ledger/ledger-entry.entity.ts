import type { Currency } from '@pay-once/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MINOR_UNITS } from '../minor-units.column.js';

/** One fact about money: `amountMinor` left the credited account and entered the debited one. Never changed. */
@Entity('ledger_entries')
export class LedgerEntryEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'sandbox_id' })
  sandboxId!: string;

  @Column('text')
  kind!: 'funding' | 'withdrawal' | 'charge' | 'refund';

  @Column('text', { name: 'debit_account' })
  debitAccount!: string;

  @Column('text', { name: 'credit_account' })
  creditAccount!: string;

  @Column('bigint', { name: 'amount_minor', transformer: MINOR_UNITS })
  amountMinor!: number;

  @Column('text')
  currency!: Currency;

  @Column('uuid', { name: 'payment_id', nullable: true })
  paymentId!: string | null;

  @Column('uuid', { name: 'refund_id', nullable: true })
  refundId!: string | null;
}
