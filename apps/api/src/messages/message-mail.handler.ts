import type { CreateMessage, Mail } from '@pay-once/contracts';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import type { JobHandler } from '../jobs/job-handler.js';
import type { MailProviderClient } from '../mail-provider.client.js';

const messageJobSchema = z.object({
  messageId: z.uuid(),
  /** The operation of the keyed request: the client's one key for a filled-in form, as the mail provider knows it. */
  operationId: z.uuid(),
});
export type MessageJob = z.infer<typeof messageJobSchema>;

/** Sends a message of the contact form to the shop by mail. */
export class MessageMailHandler implements JobHandler<MessageJob> {
  readonly dataSchema = messageJobSchema;

  constructor(
    private readonly dataSource: DataSource,
    private readonly mail: MailProviderClient,
    private readonly contactAddress: string,
  ) {}

  async askOutside({ messageId, operationId }: MessageJob): Promise<void> {
    const rows: CreateMessage[] = await this.dataSource.query(
      'select name, email, text from messages where id = $1',
      [messageId],
    );
    const [message] = rows;
    if (message === undefined) throw new Error('There is no such message.');
    await this.mail.send(this.mailOf(message), operationId);
  }

  /** The mark of the processed job says all there is to say. */
  async record(): Promise<void> {}

  private mailOf({ name, email, text }: CreateMessage): Mail {
    return {
      to: this.contactAddress,
      subject: 'Contact form · Formulir kontak',
      text: `${name} <${email}>\n\n${text}`,
    };
  }
}
