import { Entity, PrimaryColumn } from 'typeorm';

/** A pair, so that a second like is the same like: there is no number to increment. */
@Entity('likes')
export class LikeEntity {
  @PrimaryColumn('uuid', { name: 'concert_id' })
  concertId!: string;

  @PrimaryColumn('uuid', { name: 'sandbox_id' })
  sandboxId!: string;
}
