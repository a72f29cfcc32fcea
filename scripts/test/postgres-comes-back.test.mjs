import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startPostgres } from '../postgres.mjs';
import { dataDirectoryFor } from '../postgres-place.mjs';
import { gone } from './script.mjs';

/** Making a data directory takes a second, so the tests use one after another. */
const folder = mkdtempSync(join(tmpdir(), 'pay-once-comes-back-'));
const directory = join(folder, 'data');
const log = join(folder, 'log');
beforeEach(() => chmodSync(folder, 0o755));
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {import('../postgres.mjs').PostgresServer} server @param {string} sql */
async function query(server, sql) {
  const client = new pg.Client({ connectionString: server.url('postgres', 'postgres') });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const pidFile = join(directory, 'postmaster.pid');
const postmaster = () => Number.parseInt(readFileSync(pidFile, 'utf8'), 10);

/** Starts on the same data and expects the row that was there before. */
async function expectRowAfterStart() {
  const server = await startPostgres({ directory, log });
  expect(await query(server, 'select kept from rows')).toEqual([{ kept: 1 }]);
  await server.stop();
}

async function startWithRow() {
  const server = await startPostgres({ directory, log });
  await query(server, 'drop table if exists rows; create table rows as select 1 as kept');
  return server;
}

test('data outlives an orderly stop, and the stop leaves no process', async () => {
  const server = await startWithRow();
  const pid = postmaster();
  await server.stop();
  await gone(pid);
  await expectRowAfterStart();
});

test('data outlives a server that is killed', async () => {
  const server = await startWithRow();
  process.kill(postmaster(), 'SIGKILL');
  expect(await server.exited).not.toBe(0);
  await expectRowAfterStart();
});

test('a server that was left running is stopped, and its data is there', async () => {
  await startWithRow();
  const leftover = postmaster();
  await expectRowAfterStart();
  await gone(leftover);
});

test('a number in postmaster.pid that some other program has by now is no obstacle', async () => {
  const server = await startWithRow();
  process.kill(postmaster(), 'SIGKILL');
  await server.exited;
  const { uid, gid } = statSync(directory);
  const stranger = spawn('sleep', ['60'], { uid, gid });
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(stranger.pid)));
  await expectRowAfterStart();
  expect(stranger.exitCode).toBe(null);
  stranger.kill();
});

test('data can lie in a folder that is closed to other users', async () => {
  const closed = mkdtempSync(join(tmpdir(), 'pay-once-closed-'));
  const server = await startPostgres({ directory: join(closed, 'data'), log: join(closed, 'log') });
  await server.stop();
  for (const path of [dataDirectoryFor(join(closed, 'data')), closed]) rmSync(path, { recursive: true });
});

test('nothing that makes payments durable is turned off', async () => {
  const server = await startPostgres({ directory, log });
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'];
  const rows = await query(
    server,
    `select name, setting from pg_settings where name in ('${names.join("','")}') order by 1`,
  );
  expect(rows).toEqual(names.map((name) => ({ name, setting: 'on' })));
  await server.stop();
});
