import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { choosePort, freePort, nextFreePort, obstacleAt } from '../ports.mjs';

/** @type {import('node:net').Server | undefined} */
let stranger;
afterEach(() => {
  stranger?.close();
  vi.unstubAllEnvs();
});

/** @param {string} host */
async function takePort(host) {
  const port = await freePort();
  stranger = createServer().listen(port, host);
  await once(stranger, 'listening');
  return port;
}

test.each(['127.0.0.1', '::1', '0.0.0.0'])('a port that a stranger holds on %s is taken', async (host) => {
  expect(await obstacleAt(await takePort(host))).toBe('taken');
});

test('the next free port comes after a taken one', async () => {
  const taken = await takePort('127.0.0.1');
  expect(await nextFreePort(taken)).toBeGreaterThan(taken);
});

test('a port that is asked for is never swapped for another', async () => {
  const taken = await takePort('127.0.0.1');
  vi.stubEnv('PORT', String(taken));
  await expect(choosePort()).rejects.toThrow(`Port ${taken} is taken by another program.`);
});

test('a port that is let go while it is waited for is used', async () => {
  const taken = await takePort('127.0.0.1');
  vi.stubEnv('PORT', String(taken));
  const choice = choosePort();
  stranger?.close();
  expect(await choice).toBe(taken);
});

test.each(['0', '65536', '80.5', 'http'])('PORT=%s is refused', async (port) => {
  vi.stubEnv('PORT', port);
  await expect(choosePort()).rejects.toThrow('PORT must be a number from 1 to 65535');
});

test('a free port is below those that systems give to outgoing connections', async () => {
  expect(await freePort()).toBeLessThan(32_768);
});
