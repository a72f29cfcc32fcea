import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('payments')
export class PaymentEntity {
  /** The card network's key, too: each payment has one, and it is never used again. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('integer', { name: 'amount_minor' })
  amountMinor!: number;

  @Column('text')
  status!: 'processing' | 'approved' | 'declined';
}
