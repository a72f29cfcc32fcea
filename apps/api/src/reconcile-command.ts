import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { readConfig } from './config.js';
import { dataSourceOptions } from './database.js';
import { failToStart } from './process-lifecycle.js';
import { reconcile } from './reconciliation/reconcile.js';

/** Reconciles once and prints every difference, one a line. Ends with 1 when there is one. */
async function run(): Promise<void> {
  const { DATABASE_URL: url, CARD_NETWORK_URL } = readConfig(process.env);
  const dataSource = new DataSource(dataSourceOptions({ url, poolMax: 1, name: 'reconcile' }));
  await dataSource.initialize();
  try {
    const { differences } = await reconcile(dataSource, CARD_NETWORK_URL);
    for (const { reference, difference, ours, theirs } of differences) {
      console.log(`${reference}  ${difference}  ours: ${ours ?? 'nothing'}  theirs: ${theirs ?? 'nothing'}`);
    }
    process.exitCode = differences.length === 0 ? 0 : 1;
  } finally {
    await dataSource.destroy();
  }
}

run().catch(failToStart);
