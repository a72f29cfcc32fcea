import type { CreateRefund, Money, Order, Payment, Refund } from '@pay-once/contracts';
import { useIdempotentMutation } from '@pay-once/idempotency-client/react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { readMade } from '../api/read-made';
import { Notice } from '../components/notice';
import { useFormat } from '../language/language';
import { readMajorUnits, writeMajorUnits } from '../language/major-units';
import { orderQuery } from './orders.api';
import {
  askForRefund,
  readRefundAmount,
  refundNumber,
  refundSubject,
  refundsUrl,
  unfinishedRefund,
} from './refund.api';
import { RefundOutcome } from './refund-outcome';

interface RefundFormProps {
  order: Order;
  payment: Payment;
  /** What can still be given back. */
  left: Money;
  onMade: (refund: Refund) => void;
}

/** Gives a part or all of a payment back, once, however often and however the button is pressed. */
export function RefundForm({ order, payment, left, onMade }: RefundFormProps) {
  const t = useTranslations();
  const format = useFormat();
  const queryClient = useQueryClient();
  const fieldId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [number, setNumber] = useState(() => refundNumber(order, payment));

  // One intention, one key: two refunds of one payment are two subjects, two presses of one refund are not.
  const refund = useIdempotentMutation({
    subject: refundSubject(payment.id, number),
    operation: 'refunds.create',
    url: refundsUrl(payment.id),
    ask: askForRefund(payment, number),
    readAnswer: readMade<Refund>,
  });
  const { state } = refund;
  const [text, setText] = useState<string>();
  const [invalid, setInvalid] = useState(false);
  const stored = unfinishedRefund(payment.id, number);
  const storedMinor = stored && readRefundAmount(stored.body);
  const amountMinor = storedMinor ?? left.amountMinor;
  // What the stored request asks for, then what was typed, then all that is left.
  const shown =
    storedMinor === undefined && text !== undefined ? text : writeMajorUnits({ ...left, amountMinor });

  const atRest = state.kind === 'idle' || state.kind === 'offline' || state.kind === 'refused';
  const waitingFor = atRest || state.kind === 'unknown' ? undefined : state.kind;

  // A refund that another device made is not this one: the next press begins after it.
  useEffect(() => {
    if (state.kind === 'idle') setNumber(refundNumber(order, payment));
  }, [state.kind, order, payment]);

  useEffect(() => {
    if (state.kind === 'refused') void queryClient.invalidateQueries();
    if (state.kind !== 'succeeded') return;
    const { answer } = state;
    queryClient.setQueryData(orderQuery(payment.orderId).queryKey, (current) => {
      if (!current) return undefined;
      const others = current.refunds.filter(({ id }) => id !== answer.id);
      return { ...current, refunds: [...others, answer] };
    });
    void queryClient.invalidateQueries();
    onMade(answer);
  }, [state, payment.orderId, onMade, queryClient]);

  // The guard stands on the form, as at the checkout; `submit` takes its lock before it returns.
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!atRest) return;
    const wantedMinor = readMajorUnits(shown, left.currency);
    const isPossible = wantedMinor !== undefined && wantedMinor >= 1 && wantedMinor <= left.amountMinor;
    setInvalid(!isPossible);
    if (!isPossible) return field.current?.focus();
    setText(shown);
    // With what was seen: a press in another tab, or on another device, that came between decides otherwise.
    const body: CreateRefund = {
      amountMinor: wantedMinor,
      refundedMinor: payment.amountMinor - left.amountMinor,
    };
    refund.submit(body);
  }

  return (
    <form className="ticket grid gap-4 p-4 sm:p-5" noValidate onSubmit={onSubmit}>
      <RefundOutcome refund={refund} />
      {state.kind !== 'unknown' && (
        <>
          <div className="grid gap-1">
            <label htmlFor={fieldId} className="font-semibold">
              {t('refund.label')}
            </label>
            <input
              id={fieldId}
              ref={field}
              className="field"
              inputMode="numeric"
              autoComplete="off"
              value={shown}
              readOnly={!atRest}
              aria-invalid={invalid}
              aria-describedby={`${fieldId}-says`}
              onChange={(event) => setText(event.target.value)}
            />
            <p id={`${fieldId}-says`} className={invalid ? 'text-sm text-refused' : 'text-sm text-soft'}>
              {t(invalid ? 'refund.invalid' : 'refund.left', { amount: format.money(left) })}
            </p>
          </div>
          <button type="submit" className="button button-main" aria-disabled={!atRest}>
            {t('refund.button')}
          </button>
        </>
      )}
      <div role="status" className="text-soft empty:hidden">
        {waitingFor === 'sending' && t('refund.sending')}
        {waitingFor === 'resuming' && t('refund.checking')}
        {waitingFor === 'in_progress' && (
          <Notice tone="waiting" title={t('refund.inProgress')} hint={t('refund.processingHint')} />
        )}
        {atRest && t('refund.once')}
      </div>
    </form>
  );
}
