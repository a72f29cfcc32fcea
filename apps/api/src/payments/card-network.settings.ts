import type { Config } from '../config.js';

/** Where the card network is and how far it can be trusted. */
export interface CardNetworkSettings {
  url: string;
  /** How long one answer may take. Shorter than the lease of whoever asks. */
  timeoutMs: number;
  /** How long the network remembers a key. After that the same request would be a second one, and is never sent. */
  memoryMs: number;
  /** How long look-ups go on after that, before a person is asked. */
  patienceMs: number;
}

/** Injection token of the settings. */
export const CARD_NETWORK = Symbol('card network');

export function cardNetworkSettings(config: Config): CardNetworkSettings {
  return {
    url: config.CARD_NETWORK_URL,
    timeoutMs: config.CARD_NETWORK_TIMEOUT_MS,
    memoryMs: config.CARD_NETWORK_MEMORY_MS,
    patienceMs: config.CARD_NETWORK_PATIENCE_MS,
  };
}
