import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('cart_items')
export class CartItemEntity {
  @PrimaryColumn('uuid', { name: 'sandbox_id' })
  sandboxId!: string;

  @PrimaryColumn('uuid', { name: 'concert_id' })
  concertId!: string;

  @Column('integer')
  quantity!: number;
}
