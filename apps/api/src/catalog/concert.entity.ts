import type { Currency } from '@pay-once/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MINOR_UNITS } from '../minor-units.column.js';

@Entity('concerts')
export class ConcertEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  title!: string;

  @Column('text')
  venue!: string;

  @Column('timestamptz', { name: 'starts_at' })
  startsAt!: Date;

  @Column('bigint', { name: 'amount_minor', transformer: MINOR_UNITS })
  amountMinor!: number;

  @Column('text')
  currency!: Currency;

  /** How many seats every new sandbox starts with. */
  @Column('integer')
  seats!: number;
}
