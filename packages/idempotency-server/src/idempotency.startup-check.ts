import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';

/**
 * Refuses to start on a database that cannot keep the promise. A setting that loses commits, or a unique index
 * that is missing or invalid, would show only as a double charge, much later.
 */
@Injectable()
export class IdempotencyStartupCheck implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    const faults = [...(await this.unsafeSettings()), ...(await this.missingConstraint())];
    if (faults.length > 0) throw new Error(`Unsafe database: ${faults.join('; ')}.`);
  }

  private async unsafeSettings(): Promise<string[]> {
    const rows: { name: string; setting: string }[] = await this.dataSource.query(
      `select name, setting from pg_settings
        where (name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off')
           or (name = 'default_transaction_isolation' and setting <> 'read committed')`,
    );
    const { isolationLevel = 'READ COMMITTED' } = this.dataSource.options;
    if (isolationLevel !== 'READ COMMITTED') rows.push({ name: 'isolationLevel', setting: isolationLevel });
    return rows.map((row) => `${row.name} is ${row.setting}`);
  }

  private async missingConstraint(): Promise<string[]> {
    const rows: unknown[] = await this.dataSource.query(
      `select 1 from pg_index
        where indexrelid = to_regclass('idempotency_records_owner')
          and indrelid = to_regclass('idempotency_records')
          and pg_get_indexdef(indexrelid) like '%(tenant_id, key)'
          and indisunique and indisvalid and indimmediate`,
    );
    return rows.length === 1 ? [] : ['the unique index idempotency_records_owner is missing or invalid'];
  }
}
