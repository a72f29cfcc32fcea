import type { EntityManager, EntityTarget } from 'typeorm';
import type { PaymentEntity } from './payment.entity.js';

/** What a payment or a refund ends as. */
type End = Pick<PaymentEntity, 'status'> & Partial<Pick<PaymentEntity, 'reviewReason'>>;

/** Ends a payment or a refund that is processing. Throws when it was settled before: nothing is settled twice. */
export async function settleAs<Row extends End & { id: string }>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  { id }: Row,
  end: End,
): Promise<void> {
  const { affected } = await manager
    .createQueryBuilder()
    .update(entity)
    .set(end as object)
    .where({ id, status: 'processing' })
    .execute();
  if (affected !== 1) throw new Error(`${id} was settled before.`);
}
