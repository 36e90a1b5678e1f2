import { announce } from '../announce.ts';
import { request } from '../api.ts';
import { type Part, part } from '../part.ts';
import { addressQuery } from '../router.ts';
import { csvLink } from './csv-link.ts';
import { monthPicker } from './month-picker.ts';
import type { Month } from './types.ts';
import { monthName } from './words.ts';

/**
 * A part of a view that is asked for by month, and what chooses the month and downloads it as CSV.
 * @param address is asked for with `?month=`
 */
export function monthPart<T>(
  address: string,
  { first, last }: { first: Month; last: Month },
  show: (answer: T) => (Node | null)[],
): Part & { controls: HTMLElement[] } {
  const download = csvLink('');
  const picker = monthPicker({ first, last, chosen: addressQuery().get('month') ?? last }, async () => {
    await shown.load();
    announce(`${monthName(picker.month())} is shown.`);
  });
  const shown: Part = part(() => {
    download.href = `${address}?month=${picker.month()}&format=csv`;
    return request<T>('GET', `${address}?month=${picker.month()}`);
  }, show);
  void shown.load();
  return { ...shown, controls: [picker.element, download] };
}
