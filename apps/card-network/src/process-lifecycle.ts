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

/** Tells whoever started this process that it works. */
export function announce(message: { type: 'listening'; url?: string }): void {
  console.log(message.url === undefined ? 'Working.' : `Listening on ${message.url}`);
  process.send?.(message);
}

/** Ends a process that could not start, with one plain line. */
export function failToStart(error: unknown): never {
  console.error(`Cannot start. ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
