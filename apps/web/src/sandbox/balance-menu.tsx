import type { Money } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { useFormat } from '../language/language';
import { BalanceForm } from './balance-form';

const popoverId = 'balance-menu';

/** The balance in the header. The browser's own popover brings Escape, the click outside and the focus. */
export function BalanceMenu({ balance }: { balance: Money }) {
  const t = useTranslations();
  const format = useFormat();
  return (
    <>
      <button type="button" popoverTarget={popoverId} className="chip">
        <span className="max-lg:sr-only">{t('balance.word')}</span> {format.money(balance)}
      </button>
      <div id={popoverId} popover="auto" className="menu">
        <h2 className="mb-2 text-lg">{t('balance.title')}</h2>
        <BalanceForm balance={balance} />
      </div>
    </>
  );
}
