import { AMOUNT_MINOR_MAX, type Money } from '@pay-once/contracts';
import { type FormEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ProblemNotice } from '../components/problem-notice';
import { useFormat } from '../language/language';
import { readMajorUnits, writeMajorUnits } from '../language/major-units';
import { useSetBalance } from './use-set-balance';

/** Sets the practice money to an amount of the visitor's choice. */
export function BalanceForm({ balance }: { balance: Money }) {
  const t = useTranslations();
  const format = useFormat();
  const setBalance = useSetBalance();
  const inputId = useId();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? writeMajorUnits(balance);
  const [invalid, setInvalid] = useState(false);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    const amountMinor = readMajorUnits(text, balance.currency);
    setInvalid(amountMinor === undefined);
    // What is set is shown, and whatever the balance is afterwards.
    if (amountMinor !== undefined) setBalance.mutate(amountMinor, { onSuccess: () => setTyped(undefined) });
  }

  return (
    <form className="grid gap-3" noValidate onSubmit={onSubmit}>
      <p className="text-sm text-soft">{t('balance.explain')}</p>
      <div className="grid gap-1">
        <label htmlFor={inputId} className="text-sm font-semibold">
          {t('balance.label')}
        </label>
        <input
          id={inputId}
          className="field"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          aria-invalid={invalid}
          aria-describedby={`${inputId}-says`}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <p id={`${inputId}-says`} role="status" className="text-sm empty:hidden">
        {invalid &&
          t('balance.invalid', { max: format.money({ ...balance, amountMinor: AMOUNT_MINOR_MAX }) })}
        {!invalid && setBalance.isPending && t('balance.saving')}
        {!invalid && setBalance.isSuccess && t('balance.saved', { amount: format.money(balance) })}
      </p>
      {setBalance.isError && <ProblemNotice error={setBalance.error} title={t('balance.unsaved')} />}
      <button type="submit" className="button button-main">
        {t('balance.set')}
      </button>
    </form>
  );
}
