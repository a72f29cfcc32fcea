import { readProblem } from './problem.js';
import type { AttemptOutcome } from './retry-policy.js';

export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** An answer with everything that may matter later; without the headers it is what the retry policy reads. */
export type AttemptResult =
  | Extract<AttemptOutcome, { kind: 'no_answer' }>
  | (Extract<AttemptOutcome, { kind: 'answer' }> & {
      body: unknown;
      replayed: boolean;
      location: string | null;
      /** How long the server still knows the key, if it says so. */
      keyExpiresInMs: number | null;
    });

/** More is not an answer to a keyed request, and must not fill the memory of a phone. */
const RESPONSE_BYTES_MAX = 256 * 1024;

/**
 * Sends one attempt and reads its answer to the end, all within `timeoutMs`. Never rejects: whatever goes wrong is
 * `no_answer`, because nothing that happens on the way tells whether the server has done the work.
 */
export async function sendAttempt(attempt: {
  url: string;
  init: RequestInit;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  fetch: FetchLike;
  /** Makes the body of a success what the caller wants. Throws when it is not this server's. */
  readAnswer: (body: unknown) => unknown;
}): Promise<AttemptResult> {
  const { url, init, timeoutMs, signal, fetch, readAnswer } = attempt;
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    return await readResponse(await fetch(url, { ...init, signal: controller.signal }), readAnswer);
  } catch {
    return { kind: 'no_answer' };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function readResponse(
  response: Response,
  readAnswer: (body: unknown) => unknown,
): Promise<AttemptResult> {
  const { status, headers } = response;
  const body = await readJson(response);
  const isSuccess = response.ok && status !== 202;
  // A 2xx page from a captive portal, or a body cut off on the way, must not be taken for a receipt.
  if (isSuccess && body === undefined) return { kind: 'no_answer' };
  return {
    kind: 'answer',
    status,
    body: isSuccess ? readAnswer(body) : body,
    problem: response.ok ? null : readProblem(status, body),
    retryAfter: headers.get('Retry-After'),
    replayed: headers.get('Idempotent-Replayed') === 'true',
    location: headers.get('Location'),
    keyExpiresInMs: keyExpiresInMs(headers),
  };
}

/** `Idempotency-Expires` counted from the answer's own `Date`: the clock of a phone may be days off. */
function keyExpiresInMs(headers: Headers): number | null {
  const expiresAtMs = Date.parse(headers.get('Idempotency-Expires') ?? '');
  const answeredAtMs = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(expiresAtMs)) return null;
  return expiresAtMs - (Number.isNaN(answeredAtMs) ? Date.now() : answeredAtMs);
}

/** `undefined` when the body is not JSON, is not complete or is too large; `null` for 204. */
async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(response.headers.get('Content-Type') ?? '')) {
    await response.body?.cancel();
    return undefined;
  }
  try {
    return JSON.parse(await readText(response));
  } catch {
    return undefined;
  }
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    bytes += chunk.value.byteLength;
    if (bytes > RESPONSE_BYTES_MAX) {
      await reader?.cancel();
      throw new RangeError('The answer is too large');
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}
