import { type Signal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useInAddress } from '../address.ts';
import { announce } from '../announce.ts';
import { icons } from '../icons.ts';
import { Select } from '../ui/fields.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Resource } from '../use-resource.ts';
import { addMonths, type Month, monthName, monthsDown } from './words.ts';

export interface Months {
  /** Newest first. */
  all: readonly Month[];
  chosen: Signal<Month>;
}

/** A month that is chosen and kept in the address; the last one to begin with. */
export function useMonths(first: Month, last: Month): Months {
  const all = monthsDown(last, first > last ? last : first);
  return { all, chosen: useInAddress('month', last, all) };
}

/** Chooses a month, with a step to the one before and after. */
export function MonthPicker({ all, chosen }: Months) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and needs a legend that can be seen
    <div class="month-picker" role="group" aria-label="Which month">
      <Step label="Previous month" to={addMonths(chosen.value, -1)} icon={icons.back} {...{ all, chosen }} />
      <Select
        label="Month"
        name="month"
        silent
        options={all.map((month) => [month, monthName(month)] as const)}
        value={chosen}
      />
      <Step label="Next month" to={addMonths(chosen.value, 1)} icon={icons.forward} {...{ all, chosen }} />
    </div>
  );
}

function Step({ label, to, icon, all, chosen }: Months & { label: string; to: Month; icon: string }) {
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
      <Icon path={icon} size={18} />
    </button>
  );
}

/** Says which month is shown, whenever that is another one. */
export function useAnnouncedMonth(shown: Resource<{ month: Month }>): void {
  const last = useRef<Month>(undefined);
  useSignalEffect(() => {
    const month = shown.data.value?.month;
    if (month && last.current && month !== last.current) announce(`Showing ${monthName(month)}.`);
    last.current = month;
  });
}
