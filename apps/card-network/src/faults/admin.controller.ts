import { Body, Controller, Delete, HttpCode, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SHOP_TENANT } from '../shop-tenant.js';
import { type Arm, ArmedFaults, armSchema } from './armed-faults.js';
import { HiddenReferences } from './hidden-references.js';

/** For whoever runs tests and workshops. There only when `ADMIN` is on. */
@Controller('admin')
export class AdminController {
  constructor(
    private readonly armed: ArmedFaults,
    private readonly hidden: HiddenReferences,
    private readonly dataSource: DataSource,
  ) {}

  @Post('faults')
  @HttpCode(204)
  arm(@Body({ schema: armSchema }) fault: Arm): void {
    this.armed.arm(fault);
  }

  @Delete('faults')
  @HttpCode(204)
  clear(): void {
    this.armed.clear();
    this.hidden.clear();
  }

  /** As after a restart without memory: every key is new. What was done stays on the record. */
  @Post('forget-keys')
  @HttpCode(204)
  async forgetKeys(): Promise<void> {
    await this.dataSource.query('delete from idempotency_records where tenant_id = $1', [SHOP_TENANT]);
  }
}
