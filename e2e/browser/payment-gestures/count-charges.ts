import type { BrowserContext, Request } from '@playwright/test';

interface CountChargesOptions {
  context: BrowserContext;
  /** Which requests may charge, whatever became of them. */
  mayCharge: (request: Request) => boolean;
  /** Reads from the server how often the buyer was charged so far: from the ledger, not from the page. */
  readCharges: () => Promise<number>;
  /** The gesture. It should end when the page shows its last state. */
  during: () => Promise<void>;
}

/**
 * Counts what a gesture did: the requests that left the page, and the charges that the server recorded because of
 * them. Before it reads, it waits until every request has ended; a second charge often comes after the receipt.
 */
export async function countCharges(
  options: CountChargesOptions,
): Promise<{ charges: number; requests: number }> {
  const { context, mayCharge, readCharges, during } = options;
  const sent: Request[] = [];
  const note = (request: Request) => {
    if (mayCharge(request)) sent.push(request);
  };
  const before = await readCharges();
  context.on('request', note);
  try {
    await during();
    // `null` for a request that failed; it rejects when the page has gone.
    await Promise.all(sent.map((request) => request.response().catch(() => null)));
  } finally {
    context.off('request', note);
  }
  return { charges: (await readCharges()) - before, requests: sent.length };
}
