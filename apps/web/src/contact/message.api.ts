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

/** A message cannot be looked up: only its own key tells whether it was sent, by being sent again. */
export async function askForMessage(): Promise<AskAnswer<Message>> {
  return { kind: 'absent' };
}

/** The answer of a message that was sent. */
export function readMessage(body: unknown): Message {
  return body as Message;
}
