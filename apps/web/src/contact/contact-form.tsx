import type { CreateMessage, Message } from '@pay-once/contracts';
import { useIdempotentMutation } from '@pay-once/idempotency-client/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { readMade } from '../api/read-made';
import { ContactField } from './contact-field';
import { ContactOutcome } from './contact-outcome';
import { askForMessage, forgetMessage, messageSubject, messagesUrl, storedMessage } from './message.api';
import { type Field, faultsOf, fields } from './message-faults';

/** A message that the shop has. `before`: this press found it already sent. */
export interface SentMessage {
  email: string;
  how: 'now' | 'before';
}

interface ContactFormProps {
  onSent: (sent: SentMessage) => void;
  /** Another tab has come to an end with this very message. */
  onEndedElsewhere: () => void;
  onGivenUp: () => void;
}

/** Sends one message, once, however often and however the button is pressed. */
export function ContactForm({ onSent, onEndedElsewhere, onGivenUp }: ContactFormProps) {
  const t = useTranslations();
  const form = useRef<HTMLFormElement>(null);
  // One filled-in form, one key: it is stored with what was written and goes away only when the message was sent.
  const [subject] = useState(messageSubject);
  const [message, setMessage] = useState<CreateMessage>(
    () => storedMessage(subject) ?? { name: '', email: '', text: '' },
  );
  const [faults, setFaults] = useState<ReadonlySet<Field>>(new Set());
  const sending = useIdempotentMutation({
    subject,
    operation: 'messages.create',
    url: messagesUrl,
    ask: askForMessage,
    readAnswer: readMade<Message>,
  });
  const { state } = sending;
  const atRest = state.kind === 'idle' || state.kind === 'offline' || state.kind === 'refused';

  useEffect(() => {
    if (state.kind !== 'succeeded') return;
    onSent({ email: message.email, how: state.how === 'now' ? 'now' : 'before' });
  }, [state, message.email, onSent]);

  const wasOpen = useRef(false);
  useEffect(() => {
    if (state.kind === 'idle' && wasOpen.current) onEndedElsewhere();
    wasOpen.current = state.kind === 'resuming' || state.kind === 'unknown' || state.kind === 'in_progress';
  }, [state, onEndedElsewhere]);

  function giveUp() {
    forgetMessage(subject);
    onGivenUp();
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!atRest) return;
    const found = faultsOf(message);
    setFaults(found);
    const [first] = fields.filter((field) => found.has(field));
    if (first) return form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    sending.submit(message);
  }

  return (
    <form ref={form} className="ticket grid gap-4 p-4 sm:p-5" noValidate onSubmit={onSubmit}>
      <ContactOutcome sending={sending} onGiveUp={giveUp} />
      {fields.map((field) => (
        <ContactField
          key={field}
          name={field}
          value={message[field]}
          isInvalid={faults.has(field)}
          readOnly={!atRest}
          onChange={(value) => setMessage({ ...message, [field]: value })}
        />
      ))}
      {state.kind !== 'unknown' && (
        <button type="submit" className="button button-main" aria-disabled={!atRest}>
          {t('contact.send')}
        </button>
      )}
      <p role="status" className="text-soft empty:hidden">
        {state.kind === 'sending' && t('contact.sending')}
        {state.kind === 'resuming' && t('contact.checking')}
      </p>
    </form>
  );
}
