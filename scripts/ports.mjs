import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlainError } from './workspace.mjs';

/**
 * What keeps a server of ours from this port: another program, missing rights, or nothing.
 * @param {number} port
 * @returns {Promise<'taken' | 'forbidden' | undefined>}
 */
export async function obstacleAt(port) {
  // A stranger on ::1 would answer for "localhost" in some programs, so both addresses must be free.
  return (await tryToListen(port, '127.0.0.1')) ?? (await tryToListen(port, '::1'));
}

/** @param {number} port @param {string} host @returns {ReturnType<typeof obstacleAt>} */
function tryToListen(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      // Any other code means there is no such address here, as on a machine without IPv6: nobody can be there.
      resolve(code === 'EADDRINUSE' ? 'taken' : code === 'EACCES' ? 'forbidden' : undefined);
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/** The first port from `from` on that can be had. @param {number} from */
export async function nextFreePort(from) {
  for (let port = from; port < from + 100; port++) if (!(await obstacleAt(port))) return port;
  throw new Error(`no free port from ${from} to ${from + 99}`);
}

/**
 * A free port between 20000 and 32000: below the range from which systems take ports for outgoing connections, so
 * nothing takes it by chance before the server does.
 */
export const freePort = () => nextFreePort(20_000 + Math.floor(Math.random() * 11_900));

/** The port people open: `PORT` when it is set, else the first free one from 3000 on. */
export async function choosePort() {
  const wanted = process.env['PORT'];
  if (!wanted) return nextFreePort(3000);
  const port = Number(wanted);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new PlainError(`PORT must be a number from 1 to 65535; it is "${wanted}".`);
  }
  // An app that was killed a moment ago has not let go of its port yet.
  const deadlineAt = Date.now() + 3000;
  let obstacle = await obstacleAt(port);
  while (obstacle === 'taken' && Date.now() < deadlineAt) {
    await sleep(200);
    obstacle = await obstacleAt(port);
  }
  if (!obstacle) return port;
  const trouble = obstacle === 'taken' ? 'is taken by another program' : 'needs more rights';
  throw new PlainError(`Port ${port} ${trouble}. Choose another one with PORT, or leave PORT out.`);
}
