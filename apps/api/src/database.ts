import { IdempotencyRecords1780000000000 } from '@pay-once/idempotency-server';
import type { DataSourceOptions } from 'typeorm';
import { CartItemEntity } from './cart/cart-item.entity.js';
import { ConcertEntity } from './catalog/concert.entity.js';
import { LikeEntity } from './catalog/like.entity.js';
import { BalanceEntity } from './ledger/balance.entity.js';
import { LedgerEntryEntity } from './ledger/ledger-entry.entity.js';
import { Shop1780000001000 } from './migrations/1780000001000-shop.js';
import { AcrossTheBoundary1780000002000 } from './migrations/1780000002000-across-the-boundary.js';
import { OrderEntity } from './orders/order.entity.js';
import { OrderItemEntity } from './orders/order-item.entity.js';
import { PaymentEntity } from './payments/payment.entity.js';
import { RefundEntity } from './refunds/refund.entity.js';
import { SandboxEntity } from './sandboxes/sandbox.entity.js';
import { closingSilentConnections } from './silent-connections.js';
import { SurvivingClient } from './surviving-client.js';

/** Every migration, oldest first. The process that migrates runs them; the others refuse to start without them. */
export const MIGRATIONS = [
  IdempotencyRecords1780000000000,
  Shop1780000001000,
  AcrossTheBoundary1780000002000,
];

const ENTITIES = [
  BalanceEntity,
  CartItemEntity,
  ConcertEntity,
  LedgerEntryEntity,
  LikeEntity,
  OrderEntity,
  OrderItemEntity,
  PaymentEntity,
  RefundEntity,
  SandboxEntity,
];

/** How long a request waits for a free connection before it is answered 503. */
export const CONNECTION_WAIT_MS = 3_000;

export function dataSourceOptions(connection: {
  url: string;
  poolMax: number;
  name: string;
  waitMs?: number;
  /** How long a connection may be silent before it is given up. Without it: for ever, as a migration may take long. */
  silenceMs?: number;
}): DataSourceOptions {
  return {
    type: 'postgres',
    url: connection.url,
    applicationName: connection.name,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    poolSize: connection.poolMax,
    connectTimeoutMS: connection.waitMs ?? CONNECTION_WAIT_MS,
    // A connection that dies while idle is replaced by the pool; without a handler it would end the process.
    poolErrorHandler: () => undefined,
    extra: {
      Client: SurvivingClient,
      ...(connection.silenceMs !== undefined && closingSilentConnections(connection.silenceMs)),
    },
  };
}
