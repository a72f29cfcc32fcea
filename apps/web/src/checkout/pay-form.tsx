import type { CreatePayment, Order, Payment, PaymentMethod } from '@pay-once/contracts';
import { useIdempotentMutation } from '@pay-once/idempotency-client/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { readMade } from '../api/read-made';
import { Notice } from '../components/notice';
import { useFormat } from '../language/language';
import { NeedsPerson } from '../orders/needs-person';
import { awaitsPerson } from '../orders/payment-facts';
import { paymentSubject } from '../orders/unfinished-payment';
import { AlreadyPaid } from './already-paid';
import { PayOutcome } from './pay-outcome';
import { askForPayment, paymentsUrl } from './payment.api';
import { PaymentMethodFields } from './payment-method';
import { useStoredMethod } from './stored-method';
import { useOutcome } from './use-outcome';
import { waitingFor } from './waiting-for';
import { WaitingLine } from './waiting-line';

/** Pays one order, once, however often and however Pay is pressed. */
export function PayForm({ order }: { order: Order }) {
  const t = useTranslations();
  const format = useFormat();
  const stored = useStoredMethod(order.id);
  const [chosen, setChosen] = useState<PaymentMethod>(stored ?? { type: 'balance' });
  const method = stored ?? chosen;
  const payButton = useRef<HTMLButtonElement>(null);

  // One intention, one key. The key belongs to the order, not to a press: it is stored before the first request
  // leaves, and every retry, every reload and every tab that pays this order finds and uses the same one.
  const payment = useIdempotentMutation({
    subject: paymentSubject(order.id),
    operation: 'payments.create',
    url: paymentsUrl(order.id),
    ask: askForPayment(order.id),
    readAnswer: readMade<Payment>,
  });
  const { state } = payment;
  useOutcome(order.id, state);

  const atRest = state.kind === 'idle' || state.kind === 'offline' || state.kind === 'refused';
  const payable = atRest && !(state.kind === 'refused' && state.problem.retry !== 'new_key');
  const waiting = waitingFor(state);

  // The guard stands on the form: a click, Enter and a tap all end here, and a disabled button would stop only some
  // of them. `payable` is as old as the last render, so it cannot stop the second of two submits in one task;
  // `submit` can: it takes its lock before it returns.
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!payable) return;
    // What was shown, and nothing else: no time, no counter. Sent again, it must be the same request.
    const shown: CreatePayment = {
      amountMinor: order.amountMinor,
      currency: order.currency,
      method,
    };
    // Kept for after a decline, when no intention is stored any more.
    setChosen(method);
    payment.submit(shown);
  }

  // "Try again safely" goes away when it is pressed; whoever pressed it by keyboard goes on at Pay.
  useEffect(() => {
    if (waiting && document.activeElement === document.body) payButton.current?.focus();
  }, [waiting]);

  if (atRest && order.status === 'paid') return <AlreadyPaid orderId={order.id} />;
  const unconfirmed = awaitsPerson(order);
  if (atRest && unconfirmed) return <NeedsPerson payment={unconfirmed} />;
  if (atRest && order.status === 'paying') {
    return <Notice tone="waiting" title={t('pay.otherPayment')} hint={t('pay.unknownHint')} />;
  }
  return (
    <form className="grid gap-5" onSubmit={onSubmit}>
      <PayOutcome order={order} payment={payment} />
      <div className={payable || waiting ? 'ticket grid gap-5 p-4 sm:p-5' : ''}>
        {(payable || waiting) && (
          <>
            <PaymentMethodFields chosen={method} onChoose={payable && !stored ? setChosen : undefined} />
            {/* Not `disabled`: that would throw the focus away. The name stays, the line below says what happens. */}
            <button
              ref={payButton}
              type="submit"
              className="button button-main button-pay"
              aria-disabled={!payable}
            >
              {t('pay.button', { amount: format.money(order) })}
            </button>
          </>
        )}
        <WaitingLine waitingFor={waiting} restText={payable ? t('pay.once') : ''} orderId={order.id} />
      </div>
    </form>
  );
}
