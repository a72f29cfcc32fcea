import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('sandboxes')
export class SandboxEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('bytea', { name: 'token_hash', unique: true })
  tokenHash!: Buffer;
}
