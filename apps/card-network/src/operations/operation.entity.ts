import type { CardOperation } from '@pay-once/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { WHOLE_NUMBER } from '../whole-number.column.js';

@Entity('operations')
export class OperationEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  sequence!: string;

  @Column('uuid')
  reference!: string;

  @Column('text')
  kind!: CardOperation['kind'];

  @Column('text')
  status!: CardOperation['status'];

  @Column('bigint', { name: 'amount_minor', transformer: WHOLE_NUMBER })
  amountMinor!: number;

  @Column('text')
  currency!: CardOperation['currency'];

  /** Set when the operation is a refund: what it gives back. */
  @Column('uuid', { nullable: true })
  authorisation!: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
