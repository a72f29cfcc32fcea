import type { Order } from '@pay-once/contracts';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { CheckIcon, PrintIcon, TicketMark } from '../components/icons';
import { LineItems } from '../components/line-items';
import { useFormat } from '../language/language';
import { chargesOf, declinesOf } from './payment-facts';

/** What a paid order was charged, as the server recorded it: not what this browser remembers. */
export function Receipt({ order }: { order: Order }) {
  const t = useTranslations();
  const format = useFormat();
  const charges = chargesOf(order);
  return (
    <section className="ticket" aria-labelledby="receipt">
      <div className="grid gap-2 p-4 sm:p-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="receipt">{t('order.receipt')}</h2>
          <button type="button" className="button no-print max-sm:px-3" onClick={() => window.print()}>
            <PrintIcon />
            <span className="max-sm:sr-only">{t('order.print')}</span>
          </button>
        </div>
        <dl className="rows">
          <div>
            <dt>{t('order.amount')}</dt>
            <dd className="font-display text-xl font-semibold">{format.money(order)}</dd>
          </div>
          <div>
            <dt>{t('order.charged')}</dt>
            <dd>
              <span className="stamp text-accent">
                <CheckIcon />
                {t('order.chargedTimes', { count: charges.length })}
              </span>
            </dd>
          </div>
          <div>
            <dt>{t('order.tries')}</dt>
            <dd>{t('order.triesMade', { count: declinesOf(order).length })}</dd>
          </div>
          <div>
            <dt>{t('order.number')}</dt>
            <dd>{order.number}</dd>
          </div>
          {charges.map((payment) => (
            <Fragment key={payment.id}>
              <div>
                <dt>{t('order.date')}</dt>
                <dd>
                  <time dateTime={payment.createdAt}>{format.dateTime(payment.createdAt)}</time>
                </dd>
              </div>
              <div>
                <dt>{t('order.method')}</dt>
                <dd>
                  {payment.method.type === 'card'
                    ? t('order.methodCard', { card: t(`card.${payment.method.card}`) })
                    : t('order.methodBalance')}
                </dd>
              </div>
              <div>
                <dt>{t('order.payment')}</dt>
                <dd className="wrap-anywhere">{payment.id}</dd>
              </div>
            </Fragment>
          ))}
        </dl>
      </div>
      <div className="tear" />
      <div className="grid gap-6 p-4 sm:p-6">
        <LineItems items={order.items} total={order} />
        {order.refunds.length > 0 && <Refunds order={order} />}
        <Tickets order={order} />
        <Link to={`/orders/${order.id}/timeline`} className="link no-print justify-self-start">
          {t('timeline.title')}
        </Link>
      </div>
    </section>
  );
}

function Refunds({ order }: { order: Order }) {
  const t = useTranslations();
  const format = useFormat();
  return (
    <div className="grid gap-2">
      <h2 className="text-lg">{t('refund.list')}</h2>
      <ul>
        {order.refunds.map((refund) => (
          <li key={refund.id} className="grid border-b border-line py-2 last:border-0">
            <span className="flex flex-wrap justify-between gap-x-4">
              <span>{t(`refundStatus.${refund.status}`)}</span>
              <span className="font-semibold tabular-nums">{format.money(refund)}</span>
            </span>
            <span className="text-sm text-soft">
              <time dateTime={refund.createdAt}>{format.dateTime(refund.createdAt)}</time>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Tickets({ order }: { order: Order }) {
  const t = useTranslations();
  const format = useFormat();
  return (
    <div className="grid gap-2">
      <h2 className="text-lg">{t('order.tickets')}</h2>
      <ul>
        {order.tickets.map((ticket) => (
          <li key={ticket.id} className="flex items-center gap-3 py-2">
            <TicketMark />
            <span className="grid">
              <span>{t('order.ticketIssued', { date: format.dateTime(ticket.issuedAt) })}</span>
              <span className="text-sm wrap-anywhere text-soft tabular-nums">{ticket.id}</span>
            </span>
          </li>
        ))}
      </ul>
      {/* Always in the page, so that a screen reader hears it change. */}
      <p role="status" className="text-soft empty:hidden">
        {order.tickets.length === 0 && t('order.ticketsOnTheWay')}
      </p>
    </div>
  );
}
