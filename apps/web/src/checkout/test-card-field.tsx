import { TEST_CARDS, type TestCard } from '@pay-once/contracts';
import { useId } from 'react';
import { useTranslations } from 'use-intl';

const groups = ['plain', 'lost', 'broken', 'person'] as const;

/** What a card is an example of. */
const groupOf: Record<TestCard, (typeof groups)[number]> = {
  card_visa_approved: 'plain',
  card_declined: 'plain',
  card_slow: 'plain',
  card_reply_lost: 'lost',
  card_request_lost: 'lost',
  card_applied_late: 'lost',
  card_lookup_unknown: 'lost',
  card_error_before: 'broken',
  card_error_after: 'broken',
  card_bad_gateway: 'broken',
  card_malformed: 'broken',
  card_huge: 'broken',
  card_dripping: 'broken',
  card_redirect: 'broken',
  card_wrong_amount: 'person',
  card_wrong_currency: 'person',
};

/** The longest name, in characters, that the field shows whole on the narrowest screen. */
const nameLengthMax = 18;

interface TestCardFieldProps {
  chosen: TestCard;
  onChoose: ((card: TestCard) => void) | undefined;
}

/** The test cards, each by what the simulated card network will do with it. */
export function TestCardField({ chosen, onChoose }: TestCardFieldProps) {
  const t = useTranslations();
  const fieldId = useId();
  const name = t(`card.${chosen}`);
  return (
    <div className="grid gap-1 pt-1">
      <label htmlFor={fieldId} className="text-sm font-semibold">
        {t('checkout.card')}
      </label>
      <select
        id={fieldId}
        className="field"
        value={chosen}
        aria-disabled={!onChoose}
        aria-describedby={`${fieldId}-says`}
        onChange={(event) => {
          const card = TEST_CARDS.find((known) => known === event.target.value);
          if (card) onChoose?.(card);
        }}
      >
        {groups.map((group) => (
          <optgroup key={group} label={t(`cardGroup.${group}`)}>
            {TEST_CARDS.filter((card) => groupOf[card] === group).map((card) => (
              <option key={card} value={card}>
                {t(`card.${card}`)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {/* A narrow screen cuts off what the field shows. It is read out in full already. */}
      {name.length > nameLengthMax && (
        <p aria-hidden="true" className="text-sm sm:hidden">
          {name}
        </p>
      )}
      <p id={`${fieldId}-says`} className="text-sm text-soft">
        {t('checkout.cardHint')}
      </p>
    </div>
  );
}
