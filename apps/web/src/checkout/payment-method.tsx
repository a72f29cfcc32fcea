import { type PaymentMethod, TEST_CARDS } from '@pay-once/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../language/language';
import { sandboxQuery } from '../sandbox/sandbox.api';
import { TestCardField } from './test-card-field';

interface PaymentMethodFieldsProps {
  chosen: PaymentMethod;
  /** Without it the choice is made: a request with it has left. It can be read, and not changed. */
  onChoose: ((chosen: PaymentMethod) => void) | undefined;
}

/** How to pay: from the balance, or by one of the test cards. */
export function PaymentMethodFields({ chosen, onChoose }: PaymentMethodFieldsProps) {
  const t = useTranslations();
  const format = useFormat();
  const sandbox = useQuery(sandboxQuery);
  const choice = (type: PaymentMethod['type'], onChange: () => void, text: ReactNode) => (
    <label className="flex min-h-11 items-center gap-3">
      {/* Not `disabled`: that would throw the focus away. */}
      <input
        type="radio"
        name="method"
        value={type}
        className="size-5 shrink-0 accent-accent"
        checked={chosen.type === type}
        aria-disabled={!onChoose}
        onChange={onChange}
      />
      {text}
    </label>
  );
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">{t('checkout.method')}</legend>
      <div className="option">
        {choice(
          'balance',
          () => onChoose?.({ type: 'balance' }),
          <span className="flex flex-1 flex-wrap justify-between gap-x-4">
            <span className="font-semibold">{t('checkout.methodBalance')}</span>
            {sandbox.data && (
              <span className="tabular-nums">
                {t('checkout.methodBalanceHint', { amount: format.money(sandbox.data.balance) })}
              </span>
            )}
          </span>,
        )}
      </div>
      <div className="option">
        {choice(
          'card',
          () => onChoose?.({ type: 'card', card: TEST_CARDS[0] }),
          <span className="font-semibold">{t('checkout.methodCard')}</span>,
        )}
        {chosen.type === 'card' && (
          <TestCardField
            chosen={chosen.card}
            onChoose={onChoose && ((card) => onChoose({ type: 'card', card }))}
          />
        )}
      </div>
    </fieldset>
  );
}
