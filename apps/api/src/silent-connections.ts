import { Socket } from 'node:net';

/**
 * Options for a pool of `pg`: a connection on which nothing has come or gone for `silenceMs` is closed, and what was
 * asked on it fails as with any lost connection. Without it an answer is awaited for ever when the other end is gone
 * and no packet says so. Longer than Postgres lets any statement run, so that only a dead connection is ever silent.
 *
 * Not pg's own `query_timeout`: that leaves the statement running on a connection which then goes back to the pool.
 */
export function closingSilentConnections(silenceMs: number): { stream: () => Socket } {
  return {
    stream: () => {
      const socket = new Socket();
      return socket.setTimeout(silenceMs, () => {
        socket.destroy(new Error(`Connection terminated: it was silent for ${silenceMs} ms.`));
      });
    },
  };
}
