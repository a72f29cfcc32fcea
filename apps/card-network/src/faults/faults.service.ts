import { Inject, Injectable } from '@nestjs/common';
import type { TestCard } from '@pay-once/contracts';
import { DataSource } from 'typeorm';
import { ArmedFaults } from './armed-faults.js';
import { CARD_FAULTS, type Door, type Fault, faultOf, NO_FAULT } from './fault-table.js';

/** Injection token of the delay in milliseconds that replaces every fault's own; undefined when none does. */
export const FAULT_DELAY_MS = Symbol('fault delay');

@Injectable()
export class FaultsService {
  constructor(
    private readonly armed: ArmedFaults,
    private readonly dataSource: DataSource,
    @Inject(FAULT_DELAY_MS) private readonly delayMs: number | undefined,
  ) {}

  /** What befalls the next request at this door. */
  next(door: Door, reference?: string): Fault {
    const armed = this.armed.take(door, reference);
    return armed === undefined ? NO_FAULT : faultOf(armed.word, armed.delayMs ?? this.delayMs);
  }

  /** What befalls the next authorisation of this reference by this card. An armed fault goes first. */
  async nextOfCard(card: TestCard, reference: string): Promise<Fault> {
    const armed = this.next('authorisations', reference);
    const word = CARD_FAULTS[card];
    if (armed.word !== 'none' || word === 'none') return armed;
    // To be declined is what that card is like, and no accident that passes.
    if (word !== 'decline' && !(await this.isNew(reference))) return NO_FAULT;
    return faultOf(word, this.delayMs);
  }

  /** In the database, so that a card does not misbehave once more after a restart. */
  private async isNew(reference: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'insert into heard_references (reference) values ($1) on conflict do nothing returning reference',
      [reference],
    );
    return rows.length === 1;
  }
}
