import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Notice } from '../components/notice';
import { Page } from '../components/page';
import { ContactForm, type SentMessage } from './contact-form';

export function ContactPage() {
  const t = useTranslations();
  const [end, setEnd] = useState<SentMessage | 'elsewhere'>();
  // Each is another form, with a key of its own.
  const [form, setForm] = useState(0);
  const onEndedElsewhere = useCallback(() => setEnd('elsewhere'), []);
  const another = (
    <button type="button" className="button" onClick={() => setEnd(undefined)}>
      {t('contact.another')}
    </button>
  );
  return (
    <Page title={t('contact.title')} lead={t('contact.lead')} width="column">
      {end === undefined && (
        <ContactForm
          key={form}
          onSent={setEnd}
          onEndedElsewhere={onEndedElsewhere}
          onGivenUp={() => setForm(form + 1)}
        />
      )}
      {end === 'elsewhere' && (
        <Notice
          takesFocus
          tone="waiting"
          title={t('contact.endedElsewhere')}
          hint={t('contact.endedElsewhereHint')}
        >
          {another}
        </Notice>
      )}
      {typeof end === 'object' && (
        <Notice
          takesFocus
          tone="done"
          title={t(end.how === 'now' ? 'contact.sent' : 'contact.sentBefore')}
          hint={t('contact.sentHint', { email: end.email })}
        >
          {another}
        </Notice>
      )}
    </Page>
  );
}
