import nodeConsole from 'node:console';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, renderHook } from '@testing-library/react';
import type { DetachedWindowAPI } from 'happy-dom';
import { StrictMode } from 'react';
import { vi } from 'vitest';
import type { AskAnswer } from '../src/keyed-mutation.js';
import type { IdempotentMutationOptions } from '../src/react.js';
import type { PaymentServer } from './payment-server.js';

// Long enough for a busy machine; nothing waits for it when all is well.
configure({ asyncUtilTimeout: 10_000 });

declare global {
  interface Window {
    happyDOM: DetachedWindowAPI;
  }
}

/** The answer: the body that was paid for. */
export interface Receipt {
  paid: string;
}

export const body = '{"amountMinor":150000000}';

/** Makes the server this window's origin, with nothing left from the visit before. */
export function visit(server: PaymentServer): void {
  window.happyDOM.setURL(server.origin);
  localStorage.clear();
  // happy-dom prints every answer that is not a success, as a browser does. Here each of them is wanted.
  vi.spyOn(nodeConsole, 'error').mockImplementation(() => {});
}

async function ask(signal: AbortSignal): Promise<AskAnswer<Receipt>> {
  const response = await fetch('/payments/1', { signal });
  return response.json();
}

/** What a page of the shop gives to the hook. */
export function optionsFor(subject: string): IdempotentMutationOptions<Receipt> {
  return {
    subject,
    operation: 'payments.create',
    url: '/payments',
    ask,
    readAnswer: (answer) => answer as Receipt,
    policy: { baseDelayMs: 1, capDelayMs: 4 },
  };
}

/** Loads the package anew, as a reload or another tab does: the storage is all that it shares with the page before. */
export async function loadPackage() {
  vi.resetModules();
  return import('../src/react.js');
}

export async function openPage(subject: string, options: Partial<IdempotentMutationOptions<Receipt>> = {}) {
  const { useIdempotentMutation } = await loadPackage();
  const client = new QueryClient();
  const mount = () =>
    renderHook(() => useIdempotentMutation<Receipt>({ ...optionsFor(subject), ...options }), {
      wrapper: ({ children }) => (
        <StrictMode>
          <QueryClientProvider client={client}>{children}</QueryClientProvider>
        </StrictMode>
      ),
    });
  return { ...mount(), mount };
}

export function storedKey(subject: string): string | undefined {
  const text = localStorage.getItem(`pay-once:${subject}`);
  return text ? JSON.parse(text).key : undefined;
}

/** Tells this window what the browser tells it when another tab has removed the intent. */
export function otherTabRemoved(subject: string): void {
  const key = `pay-once:${subject}`;
  localStorage.removeItem(key);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }));
}
