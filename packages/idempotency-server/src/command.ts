import { createHash } from 'node:crypto';
import canonicalizeModule from 'canonicalize';

// The library is CommonJS and its types say so only halfway: under Node's ESM the default import is the function.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** What JSON can say. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [member: string]: JsonValue };

/** One thing a client wants done once. */
export interface KeyedCommand {
  /** Whose key it is, from the verified identity and from nowhere else. Two tenants never share a key. */
  tenantId: string;
  /** The client's name for its intention, as read by `readIdempotencyKey`. */
  key: string;
  /** What the key is for, such as `payments.create`. Part of the fingerprint. */
  operation: string;
  /** The validated fields that define the command, path ids included: with another value it is another command. */
  fields: JsonValue;
}

/** SHA-256 over the canonical form (RFC 8785) of operation and fields: white space and member order do not count. */
export function requestFingerprint(command: Pick<KeyedCommand, 'operation' | 'fields'>): Buffer {
  const canonical = canonicalize({ operation: command.operation, fields: command.fields });
  if (canonical === undefined) throw new TypeError('A command must be JSON.');
  return createHash('sha256').update(canonical).digest();
}

/**
 * A UUID that is the same for every attempt with one key and tells nothing about it. Derived, not stored: even
 * an attempt that cannot see the record yet, because its owner has not committed, can name its operation.
 * The layout is version 8 (custom) of RFC 9562.
 */
export function operationIdOf(tenantId: string, key: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([tenantId, key]))
    .digest();
  digest[6] = (digest.readUInt8(6) & 0x0f) | 0x80;
  digest[8] = (digest.readUInt8(8) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
