import type { Order } from '@pay-once/contracts';
import type { Problem } from '@pay-once/idempotency-client/react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { isProblemCode } from '../api/http';
import { Notice } from '../components/notice';
import { TopUp } from '../sandbox/top-up';

interface RefusalProps {
  order: Order;
  problem: Problem;
}

/** A payment that the server refused: it charged nothing, and this says what to do about the reason. */
export function Refusal({ order, problem }: RefusalProps) {
  const t = useTranslations();
  switch (problem.code) {
    case 'balance_insufficient':
      return <NotEnough order={order} />;
    case 'card_declined':
      return (
        <Notice takesFocus tone="refused" title={t('problem.card_declined')} hint={t('pay.declinedHint')} />
      );
    case 'sold_out':
      return (
        <Notice takesFocus tone="refused" title={t('pay.soldOut')} hint={t('pay.soldOutHint')}>
          <Link to="/" className="button">
            {t('cart.choose')}
          </Link>
        </Notice>
      );
    case 'amount_mismatch':
      return (
        <Notice takesFocus tone="refused" title={t('pay.amountMismatch')} hint={t('pay.amountMismatchHint')}>
          <ReloadButton />
        </Notice>
      );
    case 'idempotency_key_reused':
      // The server was asked before this is shown, and it knows of no payment.
      return (
        <Notice takesFocus tone="refused" title={t('pay.reusedUnpaid')} hint={t('pay.reusedUnpaidHint')} />
      );
    default:
      return (
        <Notice
          takesFocus
          tone="refused"
          title={t('pay.refused')}
          hint={t(isProblemCode(problem.code) ? `problem.${problem.code}` : 'problem.turned_away')}
        >
          <ReloadButton />
        </Notice>
      );
  }
}

function NotEnough({ order }: { order: Order }) {
  const t = useTranslations();
  const [toppedUp, setToppedUp] = useState(false);
  return (
    <Notice
      takesFocus
      tone={toppedUp ? 'calm' : 'refused'}
      title={t(toppedUp ? 'pay.toppedUp' : 'pay.balanceInsufficient')}
      hint={t(toppedUp ? 'pay.toppedUpHint' : 'pay.balanceInsufficientHint')}
    >
      <TopUp needed={order} onDone={() => setToppedUp(true)} />
    </Notice>
  );
}

function ReloadButton() {
  const t = useTranslations();
  return (
    <button type="button" className="button" onClick={() => location.reload()}>
      {t('load.reload')}
    </button>
  );
}
