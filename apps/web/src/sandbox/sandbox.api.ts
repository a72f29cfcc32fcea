import type { Sandbox } from '@pay-once/contracts';
import { queryOptions } from '@tanstack/react-query';
import { ProblemError, request } from '../api/http';

export const sandboxQuery = queryOptions({ queryKey: ['sandbox'], queryFn: openSandbox });

let opening: Promise<Sandbox> | undefined;

/**
 * The sandbox of this browser's cookie; a browser without one gets one. Calls that overlap share one
 * request: two would make two sandboxes, and the cookie of the second would orphan what the first holds.
 */
export function openSandbox(): Promise<Sandbox> {
  opening ??= findOrCreateSandbox().finally(() => {
    opening = undefined;
  });
  return opening;
}

async function findOrCreateSandbox(): Promise<Sandbox> {
  try {
    return await getSandbox();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'unauthenticated') throw error;
    return request('POST', '/sandboxes', { session: 'cookie' });
  }
}

function getSandbox(): Promise<Sandbox> {
  return request('GET', '/sandbox');
}

/** Sets the balance, never adds to it. */
export function putBalance(amountMinor: number): Promise<Sandbox> {
  return request('PUT', '/sandbox/balance', { amountMinor });
}
