const arrivals = ['now', 'asked', 'replayed', 'other_tab', 'key_reused'] as const;

/** How a checkout learned that its order is paid; the order's page says it in words. */
export type Arrival = (typeof arrivals)[number];

/** Puts it into a history entry, where it survives a reload. */
export function arrivalState(arrival: Arrival): { arrival: Arrival } {
  return { arrival };
}

/** Reads it back; a history entry may hold anything. */
export function readArrival(historyState: unknown): Arrival | undefined {
  if (typeof historyState !== 'object' || historyState === null || !('arrival' in historyState))
    return undefined;
  return arrivals.find((arrival) => arrival === historyState.arrival);
}
