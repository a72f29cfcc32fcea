import type { Currency } from '@pay-once/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MINOR_UNITS } from '../minor-units.column.js';

@Entity('balances')
export class BalanceEntity {
  @PrimaryColumn('uuid', { name: 'sandbox_id' })
  sandboxId!: string;

  @Column('bigint', { name: 'amount_minor', transformer: MINOR_UNITS })
  amountMinor!: number;

  @Column('text')
  currency!: Currency;
}
