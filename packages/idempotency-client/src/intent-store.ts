import { createIdempotencyKey } from './idempotency-key.js';

/** One intention of a person: the key and the exact bytes that every attempt sends. Instants are ISO 8601 in UTC. */
export interface Intent {
  key: string;
  operation: string;
  body: string;
  createdAt: string;
  expiresAt: string;
}

/** `stale`: past its `expiresAt`. It is never sent again: the thing itself is looked up. */
export type StoredIntent = { kind: 'none' } | { kind: 'open' | 'stale'; intent: Intent };

/**
 * `found`: it was there already, so an attempt of it may have reached the server before. `stale`: not to be sent,
 * because it expired or is for another operation.
 */
export type BegunIntent = { kind: 'fresh' | 'found' | 'stale'; intent: Intent };

/** What another tab did to the intent of a subject. */
export interface IntentChange {
  subject: string;
  kind: 'written' | 'removed';
}

/** Keeps one intent for each subject. No method throws, whatever the storage does. */
export interface IntentStore {
  /** The subject's name in the storage: the same name is the same intention, in every tab. */
  nameOf(subject: string): string;
  read(subject: string): StoredIntent;
  /**
   * The subject's unfinished intent, or else a new one, stored before this returns. A stale intent is handed back
   * as it is: nothing new begins before somebody has looked up what became of it and called `finish`.
   */
  begin(subject: string, request: { operation: string; body: string }): BegunIntent;
  /** Takes over the server's own word on how long it knows the key. */
  keepUntil(subject: string, key: string, expiresAtMs: number): void;
  /** Forgets the intent, if it still is the one with this key. */
  finish(subject: string, key: string): void;
  /** Hears of other tabs. Returns the function that ends it. */
  subscribe(listener: (change: IntentChange) => void): () => void;
}

export interface IntentStoreOptions {
  prefix?: string;
  /** A function, because in some browsers already looking at `localStorage` throws. */
  storage?: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  retentionMs?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** How long a server keeps a key unless it says otherwise. Counted from the press: never later than the server counts. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

/** A header value that every server accepts; another text would make `fetch` itself throw. */
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

// Beside the storage and for the life of the page: with blocked, full or cleared storage a second press still
// finds the first key, and a finished intent that could not be removed is not sent again.
const memory = new Map<string, Intent>();
const finishedKeys = new Set<string>();

export function createIntentStore(options: IntentStoreOptions = {}): IntentStore {
  const {
    prefix = 'pay-once',
    storage = () => globalThis.localStorage,
    retentionMs = RETENTION_MS,
    now = Date.now,
  } = options;

  const nameOf = (subject: string) => `${prefix}:${subject}`;

  function stored(name: string): Intent | undefined {
    try {
      const intent = parseIntent(storage().getItem(name));
      return intent && !finishedKeys.has(intent.key) ? intent : undefined;
    } catch {
      return undefined;
    }
  }

  function write(name: string, intent: Intent): void {
    memory.set(name, intent);
    try {
      storage().setItem(name, JSON.stringify(intent));
    } catch {
      // Blocked or full: the memory has it.
    }
  }

  function read(subject: string): StoredIntent {
    const intent = stored(nameOf(subject)) ?? memory.get(nameOf(subject));
    if (!intent) return { kind: 'none' };
    return { kind: Date.parse(intent.expiresAt) > now() ? 'open' : 'stale', intent };
  }

  return {
    nameOf,
    read,

    begin(subject, { operation, body }) {
      const before = read(subject);
      if (before.kind !== 'none') {
        const { intent } = before;
        if (before.kind === 'stale' || intent.operation !== operation) return { kind: 'stale', intent };
        memory.set(nameOf(subject), intent);
        return { kind: 'found', intent };
      }
      const intent: Intent = {
        key: createIdempotencyKey(),
        operation,
        body,
        createdAt: new Date(now()).toISOString(),
        expiresAt: new Date(now() + retentionMs).toISOString(),
      };
      write(nameOf(subject), intent);
      // Another tab may have written in the same moment. What is stored now is the key that both use.
      const winner = stored(nameOf(subject));
      if (!winner || winner.key === intent.key) return { kind: 'fresh', intent };
      memory.set(nameOf(subject), winner);
      return { kind: 'found', intent: winner };
    },

    keepUntil(subject, key, expiresAtMs) {
      const current = read(subject);
      if (current.kind === 'none' || current.intent.key !== key) return;
      write(nameOf(subject), { ...current.intent, expiresAt: new Date(expiresAtMs).toISOString() });
    },

    finish(subject, key) {
      const name = nameOf(subject);
      if (memory.get(name)?.key === key) memory.delete(name);
      const removable = stored(name)?.key === key;
      finishedKeys.add(key);
      if (!removable) return;
      try {
        storage().removeItem(name);
      } catch {
        // It stays behind, but this page does not read it again; another page's attempt gets the replay.
      }
    },

    subscribe(listener) {
      if (typeof window === 'undefined') return () => {};
      const hear = (event: StorageEvent) => {
        // `clear()` has no key: somebody emptied the storage, which says nothing about any intent.
        if (!event.key?.startsWith(`${prefix}:`)) return;
        listener({
          subject: event.key.slice(prefix.length + 1),
          kind: event.newValue === null ? 'removed' : 'written',
        });
      };
      window.addEventListener('storage', hear);
      return () => window.removeEventListener('storage', hear);
    },
  };
}

function parseIntent(text: string | null): Intent | undefined {
  const value: unknown = JSON.parse(text ?? 'null');
  if (typeof value !== 'object' || value === null) return undefined;
  const { key, operation, body, createdAt, expiresAt } = value as Record<string, unknown>;
  if (typeof key !== 'string' || !KEY_PATTERN.test(key)) return undefined;
  if (typeof operation !== 'string' || typeof body !== 'string') return undefined;
  if (!isInstant(createdAt) || !isInstant(expiresAt)) return undefined;
  return { key, operation, body, createdAt, expiresAt };
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
