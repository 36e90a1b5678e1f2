import { fill, h, icon, icons } from '../dom.ts';
import { select } from '../fields.ts';
import { keepInAddress } from '../router.ts';
import type { Month } from './types.ts';
import { addMonths, monthName, monthsDown } from './words.ts';

export interface MonthPicker {
  element: HTMLElement;
  month(): Month;
}

/** Chooses a month, with a step to the one before and after. The choice is kept in the address. */
export function monthPicker(
  { first, last, chosen }: { first: Month; last: Month; chosen: Month },
  change: (month: Month) => unknown,
): MonthPicker {
  const months = monthsDown(last, first > last ? last : first);
  let month = months.includes(chosen) ? chosen : last;
  const pick = (next: Month) => {
    month = next;
    keepInAddress({ month });
    draw();
    change(month);
  };
  const list = select(
    'month',
    months.map((one) => [one, monthName(one)] as const),
    month,
    pick,
    { 'aria-label': 'Month' },
  );
  const step = (label: string, by: number, path: string) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button icon-only',
        'aria-label': label,
        onclick: () => {
          const next = addMonths(month, by);
          if (months.includes(next)) pick(next);
        },
      },
      icon(path, 18),
    );
  const earlier = step('The month before', -1, icons.back);
  const later = step('The month after', 1, icons.forward);
  const draw = () => {
    list.value = month;
    // Not `disabled`: that would take the focus away from whoever pressed it by the keyboard.
    earlier.setAttribute('aria-disabled', String(!months.includes(addMonths(month, -1))));
    later.setAttribute('aria-disabled', String(!months.includes(addMonths(month, 1))));
  };
  draw();
  const element = h('div', { class: 'month-picker', role: 'group', 'aria-label': 'Which month' });
  fill(element, earlier, list, later);
  return { element, month: () => month };
}
