import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

/** Nothing of this name is meant to be logged at all, in a line or two levels down; this is the net under that rule. */
const SECRETS = ['authorization', 'cookie', 'token', 'key', 'body', 'card', 'parameters'];

/**
 * The process's log: one JSON object a line on stdout. Written in the background and in blocks, so that a slow
 * reader of the log never slows a payment; the last lines are flushed when the process ends in good order.
 */
export function createLog(options: { name: string; level: string }): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 500 });
  // A log that nobody takes ends no process, and keeps none: the destination's own last flush would write to a
  // closed pipe or terminal again and again, for ever.
  destination.on('error', () => undefined);
  process.prependOnceListener('exit', () => destination.destroy());
  return pino(
    {
      ...options,
      redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    destination,
  );
}

/** Nest's own few lines go into the same log. */
export function asNestLogger(log: Logger): LoggerService {
  return {
    log: (message: unknown) => log.debug(String(message)),
    warn: (message: unknown) => log.warn(String(message)),
    error: (message: unknown) => log.error(String(message)),
  };
}
