import type { Money } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { ProblemNotice } from '../components/problem-notice';
import { useFormat } from '../language/language';
import { useSetBalance } from './use-set-balance';

/** One press that makes the balance just enough. */
export function TopUp({ needed, onDone }: { needed: Money; onDone: () => void }) {
  const t = useTranslations();
  const format = useFormat();
  const setBalance = useSetBalance();
  const amount = format.money(needed);
  return (
    <div className="grid justify-items-start gap-2">
      <button
        type="button"
        className="button"
        aria-disabled={setBalance.isPending}
        onClick={() => setBalance.mutate(needed.amountMinor, { onSuccess: onDone })}
      >
        {t('balance.topUp', { amount })}
      </button>
      <p role="status" className="text-ink empty:hidden">
        {setBalance.isSuccess && t('balance.topUpDone', { amount })}
      </p>
      {setBalance.isError && <ProblemNotice error={setBalance.error} title={t('balance.unsaved')} />}
    </div>
  );
}
