import { Client } from 'pg';

/** The role that the API runs as; the owner of everything is whoever TEST_DATABASE_URL names. */
const RUN_ROLE = 'pay_once_app';

/** How one database of the test cluster is reached: as its owner, and as the API reaches it. */
export function databaseUrls(name: string): { owner: string; run: string } {
  const owner = new URL(clusterUrl());
  owner.pathname = `/${name}`;
  const run = new URL(owner);
  run.username = RUN_ROLE;
  return { owner: owner.href, run: run.href };
}

export async function createDatabase(name: string, template = 'template1'): Promise<void> {
  await onCluster(`create database "${name}" template "${template}"`);
}

/** Drops it with every connection to it. */
export async function dropDatabase(name: string): Promise<void> {
  await onCluster(`drop database if exists "${name}" with (force)`);
}

async function onCluster(sql: string): Promise<void> {
  const client = new Client({ connectionString: clusterUrl() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function clusterUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined) throw new Error('TEST_DATABASE_URL is not set.');
  return url;
}
