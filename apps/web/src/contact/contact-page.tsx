import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';
import { Page } from '../components/page';
import { ContactForm, type SentMessage } from './contact-form';

export function ContactPage() {
  const t = useTranslations();
  const [sent, setSent] = useState<SentMessage>();
  return (
    <Page title={t('contact.title')} lead={t('contact.lead')} width="column">
      {sent ? (
        <Notice
          takesFocus
          tone="done"
          title={t(sent.how === 'now' ? 'contact.sent' : 'contact.sentBefore')}
          hint={t('contact.sentHint', { email: sent.email })}
        >
          <button type="button" className="button" onClick={() => setSent(undefined)}>
            {t('contact.another')}
          </button>
        </Notice>
      ) : (
        <ContactForm onSent={setSent} />
      )}
    </Page>
  );
}
