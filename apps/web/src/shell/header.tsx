import { useQuery } from '@tanstack/react-query';
import { Link, NavLink } from 'react-router';
import { useTranslations } from 'use-intl';
import { cartQuery } from '../cart/cart.api';
import { TicketMark } from '../components/icons';
import { LanguageSwitch } from '../language/language-switch';
import { BalanceMenu } from '../sandbox/balance-menu';
import { sandboxQuery } from '../sandbox/sandbox.api';

export function Header() {
  const t = useTranslations();
  const sandbox = useQuery(sandboxQuery);
  // The cart belongs to the sandbox: before there is one, asking for it would only be refused.
  const cart = useQuery({ ...cartQuery, enabled: sandbox.isSuccess });
  const seats = cart.data?.items.reduce((sum, item) => sum + item.quantity, 0) ?? 0;
  return (
    <header className="no-print border-b border-line bg-surface">
      <div className="frame flex flex-wrap items-center gap-x-2 md:gap-x-8">
        <Link to="/" className="flex min-h-14 items-center gap-2 font-display text-lg font-semibold">
          <TicketMark />
          <span className="max-sm:sr-only">Pay Once</span>
        </Link>
        <div className="ml-auto flex items-center gap-2 md:order-last">
          {sandbox.data ? (
            <BalanceMenu balance={sandbox.data.balance} />
          ) : (
            <div className="bone h-9 w-32 rounded-full lg:w-48" />
          )}
          <LanguageSwitch />
        </div>
        <nav aria-label={t('nav.main')} className="tabs w-full max-md:text-sm md:w-auto md:self-stretch">
          <NavLink to="/" end className="tab">
            {t('nav.concerts')}
          </NavLink>
          <NavLink to="/cart" className="tab">
            {t('nav.cart')}
            {seats > 0 && (
              <>
                <span aria-hidden="true" className="badge">
                  {seats}
                </span>
                <span className="sr-only">{t('checkout.itemQuantity', { count: seats })}</span>
              </>
            )}
          </NavLink>
          <NavLink to="/orders" className="tab">
            {t('nav.orders')}
          </NavLink>
        </nav>
      </div>
    </header>
  );
}
