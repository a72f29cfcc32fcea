import { Controller, Get } from '@nestjs/common';
import type { Summary } from '@pay-once/contracts';
import { CurrentSandboxId } from '../identity.js';
import { LedgerService } from './ledger.service.js';

@Controller('api/summary')
export class SummaryController {
  constructor(private readonly ledger: LedgerService) {}

  @Get()
  async show(@CurrentSandboxId() sandboxId: string): Promise<Summary> {
    return this.ledger.summary(sandboxId);
  }
}
