import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Money, Sandbox } from '@pay-once/contracts';
import { DataSource } from 'typeorm';
import { hashToken } from '../identity.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { inShortTransaction } from '../short-transaction.js';
import { SandboxEntity } from './sandbox.entity.js';

/** What a new shopper has to spend: Rp10.000.000. */
const OPENING_BALANCE: Money = { amountMinor: 1_000_000_000, currency: 'IDR' };

@Injectable()
export class SandboxesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerService,
  ) {}

  /** Makes a sandbox with a balance and seats of its own. The token is told here and never again. */
  async create(): Promise<Sandbox & { token: string }> {
    const id = randomUUID();
    const token = randomBytes(32).toString('base64url');
    await inShortTransaction(this.dataSource, async (manager) => {
      await manager.insert(SandboxEntity, { id, tokenHash: hashToken(token) });
      await this.ledger.open(manager, id, OPENING_BALANCE);
      await manager.query(
        `insert into concert_seats (sandbox_id, concert_id, seats_left) select $1, id, seats from concerts`,
        [id],
      );
    });
    return { id, token, balance: OPENING_BALANCE };
  }

  async show(id: string): Promise<Sandbox> {
    return { id, balance: await this.ledger.balance(id) };
  }

  async setBalance(id: string, amountMinor: number): Promise<Sandbox> {
    return {
      id,
      balance: await inShortTransaction(this.dataSource, (manager) =>
        this.ledger.setBalance(manager, id, amountMinor),
      ),
    };
  }
}
