import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('mails')
export class MailEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  sequence!: string;

  @Column('uuid')
  id!: string;

  @Column('text', { name: 'recipient' })
  to!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  text!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
