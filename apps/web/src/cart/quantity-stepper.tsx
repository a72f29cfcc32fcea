import type { QUANTITY_MAX } from '@pay-once/contracts';
import { useTranslations } from 'use-intl';
import { MinusIcon, PlusIcon } from '../components/icons';

/** The contract's limit. Its value stands here because importing it would bring the schemas along; its type checks it. */
const quantityMax: typeof QUANTITY_MAX = 10;

interface QuantityStepperProps {
  title: string;
  quantity: number;
  seatsLeft: number;
  /** One more or one fewer than what is wanted by then, which may be newer than what is shown. */
  onStep: (by: 1 | -1, max: number) => void;
}

/** Sets how many seats of one concert are wanted. */
export function QuantityStepper({ title, quantity, seatsLeft, onStep }: QuantityStepperProps) {
  const t = useTranslations();
  const max = Math.min(quantityMax, seatsLeft);
  const canAdd = quantity < max;
  const canTake = quantity > 0;
  return (
    <fieldset className="inline-flex items-center rounded-control border border-control">
      <legend className="sr-only">{t('catalogue.quantity', { title })}</legend>
      <button
        type="button"
        aria-label={t('catalogue.fewer', { title })}
        aria-disabled={!canTake}
        className="grid size-11 place-items-center rounded-control aria-disabled:text-line"
        onClick={() => onStep(-1, max)}
      >
        <MinusIcon />
      </button>
      <output className="min-w-8 text-center font-semibold tabular-nums">{quantity}</output>
      <button
        type="button"
        aria-label={t('catalogue.more', { title })}
        aria-disabled={!canAdd}
        className="grid size-11 place-items-center rounded-control aria-disabled:text-line"
        onClick={() => onStep(1, max)}
      >
        <PlusIcon />
      </button>
    </fieldset>
  );
}
