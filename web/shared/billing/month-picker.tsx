import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { addMonths, type Month, monthName } from '../../../platform/nz-time.ts';
import { useInAddress } from '../address.ts';
import { announce } from '../announce.ts';
import { CsvLink } from '../ui/button.tsx';
import { Select } from '../ui/fields.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useResource } from '../use-resource.tsx';
import { monthOptions, monthsDown } from './words.ts';

interface UsageOfMonths<T> {
  /** The first and the last month. */
  since: Month;
  month: Month;
  load(month: Month): Promise<T>;
  /** Its address as CSV: `/api/account/usage`. */
  address: string;
}

/** The data of a chosen month, which the address keeps; by default the last one. @returns also the view's actions: choosing a month, stepping, downloading */
export function useMonth<T extends { month: Month }>({ since, month, load, address }: UsageOfMonths<T>) {
  const all = monthsDown(month, since);
  const chosen = useInAddress('month', month, all);
  // A plan that starts or ends changes the month's cost.
  const usage = useResource(() => load(chosen.value), 'here');
  const announced = useRef<Month>(undefined);
  useSignalEffect(() => {
    const shown = usage.data.value?.month;
    if (shown && announced.current && shown !== announced.current) announce(`Showing ${monthName(shown)}.`);
    announced.current = shown;
  });
  const step = (label: string, months: number, icon: IconName) => {
    const to = addMonths(chosen.value, months);
    const isThere = all.includes(to);
    const go = () => {
      if (isThere) chosen.value = to;
    };
    return (
      // Not `disabled`: keyboard users would lose the focus.
      <button type="button" class="button icon-only" aria-label={label} aria-disabled={!isThere} onClick={go}>
        <Icon name={icon} size={18} />
      </button>
    );
  };
  const actions = (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and needs a legend that can be seen */}
      <div class="month-picker" role="group" aria-label="Which month">
        {step('Previous month', -1, 'back')}
        <Select label="Month" name="month" silent options={monthOptions(month, since)} value={chosen} />
        {step('Next month', 1, 'forward')}
      </div>
      <CsvLink href={`${address}?month=${chosen.value}&format=csv`} />
    </>
  );
  return { usage, actions };
}
