import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AMOUNT_MINOR_MAX, type Money, type Summary } from '@pay-once/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { BalanceEntity } from './balance.entity.js';
import { LedgerEntryEntity } from './ledger-entry.entity.js';

/** The accounts of one sandbox's books. */
export const SHOPPER_ACCOUNT = 'shopper';
export const SHOP_ACCOUNT = 'shop';
/** Whatever is not the sandbox's own balance: a card, or where the balance came from. */
export const OUTSIDE_ACCOUNT = 'outside';

interface Charge extends Money {
  kind: 'charge';
  sandboxId: string;
  paymentId: string;
  payer: typeof SHOPPER_ACCOUNT | typeof OUTSIDE_ACCOUNT;
}

interface Refund extends Omit<Charge, 'kind'> {
  kind: 'refund';
  refundId: string;
}

@Injectable()
export class LedgerService {
  constructor(private readonly dataSource: DataSource) {}

  /** Opens the books of a new sandbox with this much money. */
  async open(manager: EntityManager, sandboxId: string, opening: Money): Promise<void> {
    await manager.insert(BalanceEntity, { sandboxId, ...opening });
    await this.move(manager, { sandboxId, kind: 'funding', ...opening }, OUTSIDE_ACCOUNT, SHOPPER_ACCOUNT);
  }

  async balance(sandboxId: string): Promise<Money> {
    const { amountMinor, currency } = await this.dataSource.manager.findOneByOrFail(BalanceEntity, {
      sandboxId,
    });
    return { amountMinor, currency };
  }

  /** Sets the balance and enters the difference. Setting the same value again changes nothing. */
  async setBalance(manager: EntityManager, sandboxId: string, amountMinor: number): Promise<Money> {
    const balance = await manager.findOneOrFail(BalanceEntity, {
      where: { sandboxId },
      lock: { mode: 'for_no_key_update' },
    });
    const { currency } = balance;
    const difference = amountMinor - balance.amountMinor;
    await manager.update(BalanceEntity, { sandboxId }, { amountMinor });
    if (difference > 0) {
      await this.move(
        manager,
        { sandboxId, kind: 'funding', amountMinor: difference, currency },
        OUTSIDE_ACCOUNT,
        SHOPPER_ACCOUNT,
      );
    } else if (difference < 0) {
      await this.move(
        manager,
        { sandboxId, kind: 'withdrawal', amountMinor: -difference, currency },
        SHOPPER_ACCOUNT,
        OUTSIDE_ACCOUNT,
      );
    }
    return { amountMinor, currency };
  }

  /** Takes the amount off the balance, or answers that it is not enough and takes nothing. */
  async debit(manager: EntityManager, sandboxId: string, amount: Money): Promise<'debited' | 'insufficient'> {
    const [, count]: [unknown[], number] = await manager.query(
      `update balances set amount_minor = amount_minor - $2
        where sandbox_id = $1 and currency = $3 and amount_minor >= $2`,
      [sandboxId, amount.amountMinor, amount.currency],
    );
    return count === 1 ? 'debited' : 'insufficient';
  }

  /** Adds the amount to the balance, or answers that it cannot hold so much and adds nothing. */
  async credit(
    manager: EntityManager,
    sandboxId: string,
    { amountMinor, currency }: Money,
  ): Promise<'credited' | 'too_full'> {
    const [, count]: [unknown[], number] = await manager.query(
      `update balances set amount_minor = amount_minor + $2
        where sandbox_id = $1 and currency = $3 and amount_minor + $2 <= $4`,
      [sandboxId, amountMinor, currency, AMOUNT_MINOR_MAX],
    );
    return count === 1 ? 'credited' : 'too_full';
  }

  /** Enters what was paid to the shop, or given back by it. The database refuses a second entry for the same. */
  async enter(manager: EntityManager, entry: Charge | Refund): Promise<void> {
    const { payer, ...rest } = entry;
    if (entry.kind === 'charge') await this.move(manager, rest, payer, SHOP_ACCOUNT);
    else await this.move(manager, rest, SHOP_ACCOUNT, payer);
  }

  /** Counts what the ledger says happened, not what was requested. */
  async summary(sandboxId: string): Promise<Summary> {
    const rows: Record<'charges' | 'charged' | 'refunds' | 'refunded' | 'tickets', string>[] =
      await this.dataSource.query(
        `select count(*) filter (where kind = 'charge') as charges,
                coalesce(sum(amount_minor) filter (where kind = 'charge'), 0) as charged,
                count(*) filter (where kind = 'refund') as refunds,
                coalesce(sum(amount_minor) filter (where kind = 'refund'), 0) as refunded,
                (select count(*) from tickets where sandbox_id = $1) as tickets
           from ledger_entries where sandbox_id = $1`,
        [sandboxId],
      );
    const row = rows[0];
    return {
      charges: { count: Number(row?.charges), amountMinor: Number(row?.charged) },
      refunds: { count: Number(row?.refunds), amountMinor: Number(row?.refunded) },
      tickets: { count: Number(row?.tickets) },
    };
  }

  private async move(
    manager: EntityManager,
    entry: Pick<LedgerEntryEntity, 'sandboxId' | 'kind' | 'amountMinor' | 'currency'> & {
      paymentId?: string;
      refundId?: string;
    },
    from: string,
    to: string,
  ): Promise<void> {
    await manager.insert(LedgerEntryEntity, {
      id: randomUUID(),
      debitAccount: to,
      creditAccount: from,
      ...entry,
    });
  }
}
