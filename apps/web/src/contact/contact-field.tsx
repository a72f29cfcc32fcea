import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { type Field, lengthMax } from './message-faults';

interface ContactFieldProps {
  name: Field;
  value: string;
  isInvalid: boolean;
  readOnly: boolean;
  onChange: (value: string) => void;
}

/** One field of the form, with what is wrong with it beside it. */
export function ContactField({ name, value, isInvalid, readOnly, onChange }: ContactFieldProps) {
  const t = useTranslations();
  const fieldId = useId();
  const faults = {
    name: t('contact.nameMissing'),
    email: t('contact.emailInvalid'),
    text: t('contact.textMissing'),
  };
  const field = {
    id: fieldId,
    name,
    className: 'field',
    value,
    readOnly,
    required: true,
    maxLength: lengthMax[name],
    'aria-invalid': isInvalid,
    'aria-describedby': `${fieldId}-says`,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={fieldId} className="font-semibold">
        {t(`contact.${name}`)}
      </label>
      {name === 'text' ? (
        <textarea {...field} rows={6} />
      ) : (
        <input {...field} type={name === 'email' ? 'email' : 'text'} autoComplete={name} />
      )}
      <p id={`${fieldId}-says`} className="text-sm text-refused empty:hidden">
        {isInvalid && faults[name]}
      </p>
    </div>
  );
}
