import { Inject, Injectable } from '@nestjs/common';
import { type CardOperation, cardOperationSchema, type Money, type TestCard } from '@pay-once/contracts';
import type { Asking } from '@pay-once/idempotency-server';
import { readBoundedText } from '../bounded-text.js';
import { CARD_NETWORK, type CardNetworkSettings } from './card-network.settings.js';

/** A definite end. `needs_review`: no machine may settle it; a person finds out what happened. */
export type CardResult =
  | { kind: 'approved' }
  | { kind: 'declined' }
  | { kind: 'needs_review'; reason: string };

/** What the card network is asked for. */
export interface CardRequest extends Money, Asking {
  /** Our id of it: what it is looked up by, and the key under which it is sent, each time. */
  reference: string;
  /** How long ago it was made, by the database's clock. */
  ageMs: number;
}

/** What one answer says. `unknown`: it says nothing, or never came. `absent`: a look-up that found nothing. */
type CardAnswer =
  | { kind: CardOperation['status'] | 'absent' | 'unknown' }
  | { kind: 'another'; what: string };

/** An answer of the network has some hundred bytes; whoever sends more is not trusted to end. */
const ANSWER_BYTES_MAX = 16 * 1024;

/** The outside world. Never throws: whatever goes wrong out there, the outcome is unknown, and not failed. */
@Injectable()
export class CardNetworkClient {
  constructor(@Inject(CARD_NETWORK) private readonly settings: CardNetworkSettings) {}

  /** Takes the money from the card, once, however often it is asked. Undefined: nobody can tell yet. */
  authorise(request: CardRequest & { card: TestCard }): Promise<CardResult | undefined> {
    const { reference, card, amountMinor, currency } = request;
    return this.settle('authorisation', request, () =>
      this.send('/authorisations', request, { reference, card, amountMinor, currency }),
    );
  }

  /** Gives back a part or all of what the authorisation took, once. Undefined: nobody can tell yet. */
  refund(request: CardRequest & { authorisation: string }): Promise<CardResult | undefined> {
    const { reference, authorisation, amountMinor, currency } = request;
    return this.settle('refund', request, () =>
      this.send('/refunds', request, { reference, authorisation, amountMinor, currency }),
    );
  }

  /**
   * Asked again, it looks first: the network may have acted and have lost its memory of the key since. What is not
   * found is sent while the key is remembered, so that it cannot act twice. After that a request would be a new one:
   * it is only looked for, for a while; then a person has to find out.
   */
  private async settle(
    kind: CardOperation['kind'],
    request: CardRequest,
    send: () => Promise<HttpAnswer | undefined>,
  ): Promise<CardResult | undefined> {
    const { memoryMs, patienceMs, timeoutMs } = this.settings;
    let answer: CardAnswer = { kind: 'absent' };
    if (request.time === 'again') answer = readAnswer(kind, request, await this.lookUp(request));
    const isRemembered = request.ageMs + 2 * timeoutMs < memoryMs;
    if (answer.kind === 'absent' && isRemembered) answer = readAnswer(kind, request, await send());
    switch (answer.kind) {
      case 'approved':
      case 'declined':
        return { kind: answer.kind };
      case 'another':
        return { kind: 'needs_review', reason: `The card network did something else: ${answer.what}.` };
      case 'absent':
      case 'unknown':
        if (request.ageMs < memoryMs + patienceMs) return undefined;
        return { kind: 'needs_review', reason: 'The card network has not told what it did.' };
    }
  }

  private send(
    path: string,
    { reference, signal }: CardRequest,
    body: object,
  ): Promise<HttpAnswer | undefined> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': reference };
    return this.fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
  }

  private lookUp({ reference, signal }: CardRequest): Promise<HttpAnswer | undefined> {
    return this.fetch(`/operations/${reference}`, { signal });
  }

  private async fetch(
    path: string,
    init: { signal: AbortSignal } & RequestInit,
  ): Promise<HttpAnswer | undefined> {
    const signal = AbortSignal.any([init.signal, AbortSignal.timeout(this.settings.timeoutMs)]);
    try {
      // A redirect is no answer of the network, and following it would send the body elsewhere.
      const response = await fetch(`${this.settings.url}${path}`, { ...init, redirect: 'error', signal });
      return { status: response.status, text: await readBoundedText(response, ANSWER_BYTES_MAX) };
    } catch {
      return undefined;
    }
  }
}

interface HttpAnswer {
  status: number;
  text: string;
}

function readAnswer(
  kind: CardOperation['kind'],
  asked: CardRequest,
  answer: HttpAnswer | undefined,
): CardAnswer {
  if (answer?.status === 404) return { kind: 'absent' };
  if (answer?.status !== 200 && answer?.status !== 201) return { kind: 'unknown' };
  const operation = parseOperation(answer.text);
  if (operation?.reference !== asked.reference || operation.kind !== kind) return { kind: 'unknown' };
  const { status, amountMinor, currency } = operation;
  if (amountMinor !== asked.amountMinor || currency !== asked.currency)
    return { kind: 'another', what: `${status} ${amountMinor} ${currency}` };
  return { kind: status };
}

function parseOperation(text: string): CardOperation | undefined {
  try {
    return cardOperationSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
