import type { Sandbox } from '@pay-once/contracts';
import { describe, expect, it } from 'vitest';
import { openSandbox } from '../src/sandbox/sandbox.api';
import { startApi } from './api-server';

const sandbox: Sandbox = {
  id: 'c0ffee00-0000-4000-8000-000000000000',
  balance: { amountMinor: 0, currency: 'IDR' },
};

/** An API that knows one browser: it has a sandbox from the first `POST` on. */
async function startSandboxApi(options: { known: boolean }) {
  const seen = { gets: 0, posts: 0, bodies: [] as string[] };
  let { known } = options;
  await startApi(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method === 'POST') {
      seen.posts += 1;
      seen.bodies.push(body);
      known = true;
    } else {
      seen.gets += 1;
    }
    const answer = known ? sandbox : { code: 'unauthenticated', retry: 'never' };
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return seen;
}

describe('a browser', () => {
  it('without a sandbox makes one, however many parts of the page ask at once', async () => {
    const seen = await startSandboxApi({ known: false });
    const opened = await Promise.all([openSandbox(), openSandbox(), openSandbox()]);
    expect(opened).toEqual([sandbox, sandbox, sandbox]);
    expect(seen).toEqual({ gets: 1, posts: 1, bodies: ['{"session":"cookie"}'] });
  });

  it('with a sandbox keeps it', async () => {
    const seen = await startSandboxApi({ known: true });
    await expect(openSandbox()).resolves.toEqual(sandbox);
    expect(seen.posts).toBe(0);
  });

  it('asks again after a failure instead of remembering it', async () => {
    let status = 503;
    await startApi((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? sandbox : { code: 'unavailable', retry: 'same_key' }));
    });
    await expect(openSandbox()).rejects.toMatchObject({ code: 'unavailable' });
    status = 200;
    await expect(openSandbox()).resolves.toEqual(sandbox);
  });
});
