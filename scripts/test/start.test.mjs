import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { dataDirectoryFor } from '../postgres-place.mjs';
import { readText, root } from '../workspace.mjs';
import { gone } from './script.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pay-once-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm start` as in a terminal: what it starts shares its process group, to which Ctrl-C goes. */
async function npmStart() {
  const { DATABASE_URL: _, TEST_DATABASE_URL: __, PORT: ___, ...env } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...env, DATA_DIR: folder },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  /** @type {string[]} */
  const printed = [];
  for await (const line of createInterface(child.stdout)) {
    printed.push(line);
    const url = /^Pay Once runs at (http\S+)$/.exec(line)?.[1];
    if (!url) continue;
    child.stdout.resume();
    const [api = 0, worker = 0, cardNetwork = 0] = JSON.parse(
      readText(join(folder, 'processes.json')) ?? '[]',
    );
    const note = readText(join(dataDirectoryFor(join(folder, 'postgres')), 'postmaster.pid'));
    const postgres = Number(note?.split('\n')[0]);
    const parts = { api, worker, cardNetwork, postgres };
    return { url, parts, pid: child.pid ?? 0, exited };
  }
  throw new Error(`npm start has ended before it ran:\n${printed.join('\n')}`);
}

/** @param {{ parts: Record<string, number> }} running */
const nothingLeft = ({ parts }) => Promise.all(Object.values(parts).map(gone));

/** @param {string} url @param {string} method @param {string} path @param {object} body @param {Record<string, string>} [headers] */
async function send(url, method, path, body, headers) {
  const reply = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    status: reply.status,
    replayed: reply.headers.get('idempotent-replayed'),
    text: await reply.text(),
  };
}

test('npm start serves a shop whose payments outlive kill -9 of every part, and Ctrl-C leaves no process of it', async () => {
  let running = await npmStart();
  const { token } = JSON.parse((await send(running.url, 'POST', '/api/sandboxes', {})).text);
  const authorization = `Bearer ${token}`;
  /** @type {any} */
  const { concerts } = await (
    await fetch(`${running.url}/api/concerts`, { headers: { authorization } })
  ).json();
  const items = [{ concertId: concerts[0].id, quantity: 1 }];
  const order = JSON.parse(
    (await send(running.url, 'PUT', `/api/orders/${randomUUID()}`, { items }, { authorization })).text,
  );
  const { amountMinor, currency } = order;
  const key = randomUUID();
  const pay = () =>
    send(
      running.url,
      'POST',
      `/api/orders/${order.id}/payments`,
      { amountMinor, currency, method: { type: 'balance' } },
      { authorization, 'idempotency-key': key },
    );
  const paid = await pay();
  expect(paid).toMatchObject({ status: 201, replayed: null });

  for (const pid of [running.pid, ...Object.values(running.parts)]) process.kill(pid, 'SIGKILL');
  running = await npmStart();
  expect(await pay()).toEqual({ ...paid, replayed: 'true' });
  process.kill(-running.pid, 'SIGINT');
  await running.exited;
  await nothingLeft(running);
}, 180_000);
