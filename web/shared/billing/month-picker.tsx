import { type Signal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useInAddress } from '../address.ts';
import { announce } from '../announce.ts';
import { CsvLink } from '../ui/button.tsx';
import { Select } from '../ui/fields.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useResource } from '../use-resource.tsx';
import { addMonths, type Month, monthName, monthsDown } from './words.ts';

interface Months {
  all: readonly Month[];
  chosen: Signal<Month>;
}

interface UsageOfMonths<T> {
  first: Month;
  last: Month;
  load(month: Month): Promise<T>;
  /** Its address as CSV: `/api/account/usage`. */
  address: string;
}

/**
 * What the API knows of a month that is chosen and kept in the address, the last one to begin with.
 * @returns also the actions of the view: to choose a month, and to download it
 */
export function useMonth<T extends { month: Month }>({ first, last, load, address }: UsageOfMonths<T>) {
  const all = monthsDown(last, first > last ? last : first);
  const chosen = useInAddress('month', last, all);
  // A plan that starts or ends changes what the month costs.
  const usage = useResource(() => load(chosen.value), 'here');
  const said = useRef<Month>(undefined);
  useSignalEffect(() => {
    const month = usage.data.value?.month;
    if (month && said.current && month !== said.current) announce(`Showing ${monthName(month)}.`);
    said.current = month;
  });
  const actions = (
    <>
      <MonthPicker {...{ all, chosen }} />
      <CsvLink href={`${address}?month=${chosen.value}&format=csv`} />
    </>
  );
  return { usage, actions };
}

/** Chooses a month, with a step to the one before and after. */
function MonthPicker({ all, chosen }: Months) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and needs a legend that can be seen
    <div class="month-picker" role="group" aria-label="Which month">
      <Step label="Previous month" to={addMonths(chosen.value, -1)} icon="back" {...{ all, chosen }} />
      <Select
        label="Month"
        name="month"
        silent
        options={all.map((month) => [month, monthName(month)] as const)}
        value={chosen}
      />
      <Step label="Next month" to={addMonths(chosen.value, 1)} icon="forward" {...{ all, chosen }} />
    </div>
  );
}

function Step({ label, to, icon, all, chosen }: Months & { label: string; to: Month; icon: IconName }) {
  const isThere = all.includes(to);
  return (
    <button
      type="button"
      class="button icon-only"
      aria-label={label}
      // Not `disabled`: that would take the focus away from whoever pressed it by the keyboard.
      aria-disabled={!isThere}
      onClick={() => {
        if (isThere) chosen.value = to;
      }}
    >
      <Icon name={icon} size={18} />
    </button>
  );
}
