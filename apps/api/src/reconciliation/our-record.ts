import type { Currency, PaymentStatus } from '@pay-once/contracts';
import type { DataSource } from 'typeorm';

/** A payment or refund that crossed to the card network. Its id is the reference there. */
export interface OurOperation {
  id: string;
  kind: 'authorisation' | 'refund';
  /** Of a refund: the payment that it gives back. */
  authorisation: string | null;
  status: PaymentStatus;
  amountMinor: number;
  currency: Currency;
}

/** Everything that we have asked the card network for, by reference. */
export async function readOurRecord(dataSource: DataSource): Promise<Map<string, OurOperation>> {
  const rows: OurOperation[] = await dataSource.query(
    `select id, 'authorisation' as kind, null as authorisation, status, amount_minor::float as "amountMinor", currency
       from payments where operation_id is not null
     union all
     select id, 'refund', payment_id, status, amount_minor::float, currency
       from refunds where operation_id is not null`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
