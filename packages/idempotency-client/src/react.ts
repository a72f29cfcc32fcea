import { useMutation } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { idempotentFetch } from './idempotent-fetch.js';
import { createIntentStore, type IntentStore } from './intent-store.js';
import { joinKeyedMutation, type KeyedMutation, type KeyedMutationOptions } from './keyed-mutation.js';

export type { AnsweredHow, AskAnswer, KeyedMutationState } from './keyed-mutation.js';
export type { Problem } from './problem.js';

export interface IdempotentMutationOptions<TAnswer>
  extends Omit<KeyedMutationOptions<TAnswer>, 'store' | 'send'> {
  /** One for the whole page; by default the one with the prefix `pay-once` in `localStorage`. */
  store?: IntentStore;
}

export interface IdempotentMutation<TAnswer>
  extends Pick<KeyedMutation<TAnswer>, 'submit' | 'retrySafely' | 'askNow'> {
  state: ReturnType<KeyedMutation<TAnswer>['getState']>;
}

const defaultStore = createIntentStore();
const getServerState = () => idle;
const idle = { kind: 'idle' } as const;

/**
 * One intention of a person: press, send, ask, until it has an answer. Only `submit` and `retrySafely` ever send;
 * mounting, coming back and going online only ask. Everybody with the same subject shares one state, and a request
 * that is under way outlives the component.
 */
export function useIdempotentMutation<TAnswer>(
  options: IdempotentMutationOptions<TAnswer>,
): IdempotentMutation<TAnswer> {
  // `always`: the default pauses a mutation offline and then sends it by itself. Nobody pays by regaining network.
  const { mutateAsync } = useMutation({
    mutationKey: [options.operation, options.subject],
    mutationFn: idempotentFetch,
    networkMode: 'always',
    retry: false,
  });
  const current = { ...options, store: options.store ?? defaultStore, send: mutateAsync };
  const mutation = joinKeyedMutation<TAnswer>(current);
  useEffect(() => mutation.configure(current));
  const state = useSyncExternalStore(mutation.subscribe, mutation.getState, getServerState);
  return { state, submit: mutation.submit, retrySafely: mutation.retrySafely, askNow: mutation.askNow };
}
