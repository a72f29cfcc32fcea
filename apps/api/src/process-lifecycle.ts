/** What is done around an answer of the card network that comes as late as it may: the request's own statements. */
const AROUND_LEASE_MS = 10_000;

/**
 * How long a process may take to end in good order. Longer than a lease, which is as long as the card network may be
 * asked: whoever waits for a payment by card still gets its answer.
 */
export function stopDeadlineMs(leaseMs: number): number {
  return leaseMs + AROUND_LEASE_MS;
}

/**
 * Ends this process in good order, once: on SIGTERM, on Ctrl-C, and when the process that started it is gone,
 * so that no orphan keeps a port or a connection.
 */
export function onStop(stop: () => Promise<void>, deadlineMs: number): void {
  let stopping = false;
  const begin = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), deadlineMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('Stopping failed.', error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', begin);
  process.once('SIGINT', begin);
  if (process.send !== undefined) process.once('disconnect', begin);
}

/** Tells whoever started this process that it works, and where it listens, if it does. */
export function announce(url?: string): void {
  console.log(url === undefined ? 'Working.' : `Listening on ${url}`);
  process.send?.({ type: 'listening', url });
}

/** Ends a process that could not start, with one plain line. */
export function failToStart(error: unknown): never {
  console.error(`Cannot start. ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
