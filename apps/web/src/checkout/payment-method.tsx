import type { PaymentMethod } from '@pay-once/contracts';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormat } from '../language/language';
import { sandboxQuery } from '../sandbox/sandbox.api';

interface PaymentMethodFieldsProps {
  chosen: PaymentMethod;
  onChoose: (chosen: PaymentMethod) => void;
}

/** How to pay: one choice of a list that has one entry so far. */
export function PaymentMethodFields({ chosen, onChoose }: PaymentMethodFieldsProps) {
  const t = useTranslations();
  const format = useFormat();
  const sandbox = useQuery(sandboxQuery);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">{t('checkout.method')}</legend>
      <label className="flex min-h-11 items-center gap-3 rounded-xl border border-control p-3 has-checked:border-accent has-checked:bg-accent-wash">
        <input
          type="radio"
          name="method"
          value="balance"
          className="size-5 accent-accent"
          checked={chosen.type === 'balance'}
          onChange={() => onChoose({ type: 'balance' })}
        />
        <span className="flex flex-1 flex-wrap justify-between gap-x-4">
          <span className="font-semibold">{t('checkout.methodBalance')}</span>
          {sandbox.data && (
            <span className="tabular-nums">
              {t('checkout.methodBalanceHint', { amount: format.money(sandbox.data.balance) })}
            </span>
          )}
        </span>
      </label>
    </fieldset>
  );
}
