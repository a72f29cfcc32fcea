import { createAskLoop } from './ask-loop.js';
import type { IdempotentFetchOptions, IdempotentFetchResult } from './idempotent-fetch.js';
import type { IntentStore, StoredIntent } from './intent-store.js';
import { onPageReturn } from './page-events.js';
import type { Problem } from './problem.js';
import { isAboutIdentity } from './refusal.js';
import { DEFAULT_RETRY_POLICY } from './retry-policy.js';

/**
 * What the server says about the thing itself, whatever became of a request. `absent`: it knows of nothing.
 * `unknowable`: it cannot be looked up; only its own key can tell, by being sent again.
 */
export type AskAnswer<TAnswer> =
  | { kind: 'final'; answer: TAnswer }
  /** It has recorded a refusal of this very intention, such as a decline that came after a 202. */
  | { kind: 'refused'; problem: Problem }
  | { kind: 'processing' }
  | { kind: 'absent' }
  | { kind: 'unknowable' };

/** How an answer came to this page. */
export type AnsweredHow = 'now' | 'replayed' | 'asked' | 'other_tab';

export type KeyedMutationState<TAnswer> =
  | { kind: 'idle' }
  /** An intent from before was found: the server is being asked, nothing is sent. */
  | { kind: 'resuming' }
  | { kind: 'sending'; startedAtMs: number }
  /** The server says that it is still being processed. Not an error. */
  | { kind: 'in_progress' }
  /** No final answer yet, never a failure. `maySendAgain`: the server knows of nothing, offer `retrySafely`. */
  | { kind: 'unknown'; maySendAgain: boolean }
  /** `problem`: this page's request was refused, and asking found the answer of an earlier one. */
  | { kind: 'succeeded'; answer: TAnswer; how: AnsweredHow; problem?: Problem }
  | { kind: 'refused'; problem: Problem }
  /** The browser was offline at the press: nothing was sent. */
  | { kind: 'offline' };

export interface KeyedMutationOptions<TAnswer>
  extends Pick<IdempotentFetchOptions, 'url' | 'subject' | 'operation' | 'headers' | 'policy' | 'fetch'> {
  store: IntentStore;
  /**
   * GETs the state of the thing. Rejects when that could not be read. `location` is the `Location` of this key's own 202,
   * if there was one: of all that the server knows, only what is there is surely of this intention.
   */
  ask: (signal: AbortSignal, location: string | null) => Promise<AskAnswer<TAnswer>>;
  /** Makes the answer of a 2xx body. When it throws, that was not this server's word, and the same key goes again. */
  readAnswer: (body: unknown) => TAnswer;
  /** `idempotentFetch`, or a function that calls it. */
  send: (request: IdempotentFetchOptions) => Promise<IdempotentFetchResult>;
}

/** One intention as a page sees it. Alive while somebody subscribes or a request is under way. */
export interface KeyedMutation<TAnswer> {
  getState(): KeyedMutationState<TAnswer>;
  subscribe(listener: () => void): () => void;
  /** Replaces the options that the next send or ask uses. */
  configure(options: KeyedMutationOptions<TAnswer>): void;
  /** Sends, unless it is being sent, is not settled or has succeeded. The lock is taken before this returns. */
  submit(body: string | object): void;
  /** Sends the stored intent again, same key and body. Only while `unknown` with `maySendAgain`. */
  retrySafely(): void;
  /** Asks for the state of the thing now. */
  askNow(): void;
}

// Named once, because a poll that says the same again must not render again.
const CHECKING = { kind: 'unknown', maySendAgain: false } as const;
const NOTHING_KNOWN = { kind: 'unknown', maySendAgain: true } as const;
const IN_PROGRESS = { kind: 'in_progress' } as const;

// `resuming` too: the stored intent goes, with its own key and body, so it cannot become a second payment.
const PRESSABLE: ReadonlySet<string> = new Set(['idle', 'resuming', 'refused', 'offline']);

// One for each subject, for the life of the page: a second component, or the same one mounted again, joins the
// request that is under way. Its state is the lock that a double press meets.
const mutations = new Map<string, KeyedMutation<unknown>>();

/** The subject's mutation on this page. Everybody who joins must use one type of answer. */
export function joinKeyedMutation<TAnswer>(options: KeyedMutationOptions<TAnswer>): KeyedMutation<TAnswer> {
  const name = options.store.nameOf(options.subject);
  const existing = mutations.get(name) as KeyedMutation<TAnswer> | undefined;
  if (existing) return existing;
  const created = createKeyedMutation(options);
  mutations.set(name, created as KeyedMutation<unknown>);
  return created;
}

function createKeyedMutation<TAnswer>(initial: KeyedMutationOptions<TAnswer>): KeyedMutation<TAnswer> {
  const { subject } = initial;
  const listeners = new Set<() => void>();
  let options = initial;
  let state: KeyedMutationState<TAnswer> = { kind: 'idle' };
  let sending: AbortController | undefined;
  /** What the last send was told, when that proves nothing. */
  let openRefusal: Problem | undefined;
  /** Where the last send was told to look. */
  let location: string | null = null;
  let removedElsewhere = false;
  let stopListening = () => {};

  const asking = createAskLoop({
    ask: (signal) => options.ask(signal, location),
    onAnswer: afterAsking,
    timeoutMs: initial.policy?.attemptTimeoutMs ?? DEFAULT_RETRY_POLICY.attemptTimeoutMs,
  });

  function become(next: KeyedMutationState<TAnswer>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  /** While nobody looks and nothing is under way, the store alone says where the intention stands. */
  function readStore(): void {
    if (listeners.size > 0 || sending) return;
    const kind = options.store.read(subject).kind === 'none' ? 'idle' : 'resuming';
    if (state.kind !== kind) state = { kind };
    openRefusal = undefined;
    location = null;
  }

  async function send(body: string): Promise<void> {
    asking.stop();
    const controller = new AbortController();
    sending = controller;
    openRefusal = undefined;
    location = null;
    removedElsewhere = false;
    become({ kind: 'sending', startedAtMs: Date.now() });
    // The money may have moved although the sending goes on: the page says so from the first lost answer.
    const onUnanswered = () => {
      if (sending === controller) become(CHECKING);
    };
    const request = { ...options, body, signal: controller.signal, onUnanswered };
    const result = await options.send(request).catch(() => null);
    // Asking may have found the answer while this was still on its way.
    if (sending !== controller) return;
    sending = undefined;
    afterSending(result);
  }

  function afterSending(result: IdempotentFetchResult | null): void {
    asking.stop();
    become(stateAfter(result));
    if (isWaiting() && listeners.size > 0) asking.start();
  }

  function stateAfter(result: IdempotentFetchResult | null): KeyedMutationState<TAnswer> {
    if (result?.kind === 'answered') {
      const answer = result.body as TAnswer;
      return { kind: 'succeeded', answer, how: result.replayed ? 'replayed' : 'now' };
    }
    if (result?.kind === 'refused') return { kind: 'refused', problem: result.problem };
    if (result?.kind === 'processing') {
      location = result.location;
      return IN_PROGRESS;
    }
    if (result?.kind === 'not_sent' && result.intent === 'none') return { kind: 'offline' };
    if (result?.kind === 'unknown' && result.why === 'unproven_refusal') openRefusal = result.problem;
    return CHECKING;
  }

  function isWaiting(): boolean {
    return state.kind === 'resuming' || state.kind === 'in_progress' || state.kind === 'unknown';
  }

  function afterAsking(asked: AskAnswer<TAnswer> | null): 'again' | 'done' {
    if (asked?.kind === 'final') return afterFinal(asked.answer);
    // The request under way will tell.
    if (sending) return 'done';
    if (asked?.kind === 'refused') return afterRefused(asked.problem);
    if (asked?.kind === 'absent') return afterAbsent();
    if (asked?.kind === 'unknowable') return afterUnknowable();
    if (asked?.kind === 'processing') become(IN_PROGRESS);
    else if (state.kind === 'resuming') become(CHECKING);
    return isWaiting() ? 'again' : 'done';
  }

  /** Neither too old nor, as something strange in the storage may be, for another operation. */
  function canBeSent(found: StoredIntent): boolean {
    return found.kind === 'open' && found.intent.operation === options.operation;
  }

  function afterFinal(answer: TAnswer): 'done' {
    const found = options.store.read(subject);
    const how = removedElsewhere || found.kind === 'none' ? 'other_tab' : 'asked';
    if (found.kind !== 'none') options.store.finish(subject, found.intent.key);
    sending?.abort();
    sending = undefined;
    become({ kind: 'succeeded', answer, how, ...(openRefusal && { problem: openRefusal }) });
    return 'done';
  }

  function afterRefused(problem: Problem): 'done' {
    if (!isWaiting()) return 'done';
    const found = options.store.read(subject);
    if (found.kind !== 'none') options.store.finish(subject, found.intent.key);
    become({ kind: 'refused', problem });
    return 'done';
  }

  function afterAbsent(): 'again' | 'done' {
    if (state.kind === 'offline') become({ kind: 'idle' });
    if (!isWaiting()) return 'done';
    const found = options.store.read(subject);
    const refusal = openRefusal;
    // Nothing happened under this key, and nothing will: it cannot be sent, or the server has refused it.
    const isOver = !canBeSent(found) || (refusal && !isAboutIdentity(refusal.status));
    if (isOver && found.kind !== 'none') options.store.finish(subject, found.intent.key);
    if (refusal) {
      become({ kind: 'refused', problem: refusal });
    } else if (canBeSent(found)) {
      become(NOTHING_KNOWN);
      return 'again';
    } else {
      become({ kind: 'idle' });
    }
    return 'done';
  }

  /** Whatever was refused since, an earlier request may have done it: the key stays, and goes again when it is pressed. */
  function afterUnknowable(): 'done' {
    if (!isWaiting()) return 'done';
    const found = options.store.read(subject);
    // Only an end makes another tab remove it.
    const isOver = removedElsewhere || !canBeSent(found);
    if (isOver && found.kind !== 'none') options.store.finish(subject, found.intent.key);
    become(isOver ? { kind: 'idle' } : NOTHING_KNOWN);
    return 'done';
  }

  function askNow(): void {
    if (state.kind !== 'succeeded') asking.start();
  }

  return {
    getState() {
      readStore();
      return state;
    },

    subscribe(listener) {
      readStore();
      listeners.add(listener);
      if (listeners.size === 1) {
        const stopStore = options.store.subscribe((change) => {
          if (change.subject !== subject || change.kind !== 'removed') return;
          removedElsewhere = true;
          askNow();
        });
        const stopPage = onPageReturn(askNow);
        stopListening = () => {
          stopStore();
          stopPage();
        };
        if (state.kind === 'resuming') asking.start();
      }
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        stopListening();
        asking.stop();
      };
    },

    configure(next) {
      options = next;
    },

    submit(body) {
      if (PRESSABLE.has(state.kind)) void send(typeof body === 'string' ? body : JSON.stringify(body));
    },

    retrySafely() {
      if (state.kind !== 'unknown' || !state.maySendAgain) return;
      const found = options.store.read(subject);
      if (found.kind === 'open') void send(found.intent.body);
      else askNow();
    },

    askNow,
  };
}
