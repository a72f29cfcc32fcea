import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useTranslations } from 'use-intl';
import { useOnline } from '../api/use-online';
import { ErrorBoundary } from '../components/error-boundary';
import { QueryView } from '../components/query-view';
import { ShopHeading } from '../components/shop-heading';
import { sandboxQuery } from '../sandbox/sandbox.api';
import { Header } from './header';
import { keepFocus } from './keep-focus';

/** What surrounds every page. A page is drawn once there is a sandbox whose things it can show. */
export function Shell() {
  const t = useTranslations();
  const online = useOnline();
  const { pathname } = useLocation();
  const sandbox = useQuery(sandboxQuery);
  useEffect(keepFocus, []);
  return (
    <div className="grid min-h-dvh grid-rows-[auto_auto_1fr_auto]">
      <a href="#content" className="skip">
        {t('nav.skip')}
      </a>
      <Header />
      <div role="status" className="bg-sunken">
        {!online && <p className="frame py-2 text-sm">{t('load.offlineBar')}</p>}
      </div>
      <main id="content" tabIndex={-1} className="frame py-8 md:py-12">
        <ErrorBoundary key={pathname}>
          {sandbox.data === undefined && <ShopHeading />}
          <QueryView query={sandbox} skeleton={<PageBones />}>
            {() => (
              <Suspense
                fallback={
                  <>
                    <ShopHeading />
                    <PageBones />
                  </>
                }
              >
                <Outlet />
              </Suspense>
            )}
          </QueryView>
        </ErrorBoundary>
      </main>
      <footer className="no-print frame">
        <div className="flex flex-wrap items-center justify-between gap-x-6 border-t border-line py-4 text-sm text-soft">
          <p>{t('nav.footer')}</p>
          <Link to="/contact" className="link inline-flex min-h-11 items-center">
            {t('nav.contact')}
          </Link>
        </div>
      </footer>
    </div>
  );
}

/** A page of which nothing is known yet. */
function PageBones() {
  return (
    <div className="grid gap-6">
      <div className="bone h-10 w-56 max-w-full" />
      <div className="bone h-72 rounded-ticket" />
    </div>
  );
}
