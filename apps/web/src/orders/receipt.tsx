import type { Order } from '@pay-once/contracts';
import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { LineItems } from '../components/line-items';
import { useFormat } from '../language/language';
import { chargesOf } from './charges';

/** What a paid order was charged, as the server recorded it: not what this browser remembers. */
export function Receipt({ order }: { order: Order }) {
  const t = useTranslations();
  const format = useFormat();
  const charges = chargesOf(order);
  return (
    <section className="ticket" aria-labelledby="receipt">
      <div className="grid gap-3 p-5">
        <h2 id="receipt">{t('order.receipt')}</h2>
        <dl className="rows">
          <div>
            <dt>{t('order.number')}</dt>
            <dd>{order.number}</dd>
          </div>
          <div>
            <dt>{t('order.amount')}</dt>
            <dd>{format.money(order)}</dd>
          </div>
          <div>
            <dt>{t('order.charged')}</dt>
            <dd>{t('order.chargedTimes', { count: charges.length })}</dd>
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
                <dd>{t('order.methodBalance')}</dd>
              </div>
              <div>
                <dt>{t('order.payment')}</dt>
                <dd>{payment.id}</dd>
              </div>
            </Fragment>
          ))}
        </dl>
      </div>
      <div className="tear" />
      <div className="grid gap-6 p-5">
        <LineItems items={order.items} total={order} />
        {order.tickets.length > 0 && <Tickets order={order} />}
      </div>
    </section>
  );
}

function Tickets({ order }: { order: Order }) {
  const t = useTranslations();
  const format = useFormat();
  return (
    <div className="grid gap-2">
      <h2>{t('order.tickets')}</h2>
      <ul>
        {order.tickets.map((ticket) => (
          <li key={ticket.id} className="border-b border-line py-2 last:border-0">
            {t('order.ticketIssued', { date: format.dateTime(ticket.issuedAt) })}
          </li>
        ))}
      </ul>
    </div>
  );
}
