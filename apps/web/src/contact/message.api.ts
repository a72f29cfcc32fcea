import type { CreateMessage, Message } from '@pay-once/contracts';
import { createIdempotencyKey, createIntentStore } from '@pay-once/idempotency-client';
import type { AskAnswer } from '@pay-once/idempotency-client/react';

export const messagesUrl = '/api/messages';

const intents = createIntentStore();
const subjectPrefix = 'message:';

/**
 * Under what one filled-in form is kept. The form of an earlier visit that has no answer yet comes first. Not one
 * subject for all forms: two tabs with two messages would then send the first of them twice, and the second never.
 */
export function messageSubject(): string {
  return unfinishedSubject() ?? subjectPrefix + createIdempotencyKey();
}

function unfinishedSubject(): string | undefined {
  const namePrefix = intents.nameOf(subjectPrefix);
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(namePrefix))
      .map((name) => subjectPrefix + name.slice(namePrefix.length))
      .find((subject) => intents.read(subject).kind === 'open');
  } catch {
    return undefined;
  }
}

/** The message that is stored under the subject; the storage may hold anything. */
export function storedMessage(subject: string): CreateMessage | undefined {
  const found = intents.read(subject);
  if (found.kind !== 'open') return undefined;
  try {
    const { name, email, text } = JSON.parse(found.intent.body);
    const isMessage = [name, email, text].every((field) => typeof field === 'string');
    return isMessage ? { name, email, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Gives the intention up. It may have been done: whoever calls this has told the person so. */
export function forgetMessage(subject: string): void {
  const found = intents.read(subject);
  if (found.kind !== 'none') intents.finish(subject, found.intent.key);
}

/** Nobody can look a message up: only its own key tells whether it was sent, by being sent again. */
export async function askForMessage(): Promise<AskAnswer<Message>> {
  return { kind: 'unknowable' };
}
