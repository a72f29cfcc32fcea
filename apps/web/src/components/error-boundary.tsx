import { Component, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useOnline } from '../api/use-online';
import { Notice } from './notice';
import { ShopHeading } from './shop-heading';

/** Catches a fault while drawing a page, or a part of the shop that could not be loaded. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const t = useTranslations();
  const online = useOnline();
  return (
    <div className="max-w-2xl">
      <ShopHeading />
      <Notice tone={online ? 'refused' : 'offline'} title={t('load.broken')} hint={t('load.brokenHint')}>
        <button type="button" className="button" onClick={() => location.reload()}>
          {t('load.reload')}
        </button>
      </Notice>
    </div>
  );
}
