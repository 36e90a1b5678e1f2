import { CovermapError } from '../../platform/errors.ts';
import { type Day, isDay } from '../../platform/nz-time.ts';
import { unreadable } from './csv-rows.ts';
import type { DateOrder } from './layouts.ts';

/* Days as banks write them. 03/04/2026 is a day of April or of March: which one is never guessed. */

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

type Parts = { year: number; month: number; day: number } | { parts: [number, number]; year: number };

function partsOf(text: string): Parts | undefined {
  const begin = text.trim().slice(0, 40);
  const iso = /^(\d{4})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})(?:[T ].{0,20})?$/.exec(begin);
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const named = /^(\d{1,2})[-/ ]([a-z]{3})[a-z]{0,6}[-/ ](\d{4}|\d{2})$/i.exec(begin);
  if (named) {
    const month = months.indexOf((named[2] as string).toLowerCase()) + 1;
    return { year: yearOf(named[3] as string), month, day: Number(named[1]) };
  }
  const short = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?: .{0,20})?$/.exec(begin);
  if (!short) return undefined;
  return { parts: [Number(short[1]), Number(short[2])], year: yearOf(short[3] as string) };
}

const yearOf = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text));

/**
 * The days of a file's lines.
 * @param known the order of the bank, or as somebody has said @throws CovermapError `bank_file_unreadable`, `bank_dates_ambiguous`
 */
export function readDays(
  values: readonly { line: number; text: string }[],
  known: DateOrder | null,
  today: Day,
): Day[] {
  const found = values.map(({ line, text }) => {
    const parts = partsOf(text);
    if (!parts) throw unreadable(`Line ${line} has no date: “${text.slice(0, 40)}”.`);
    return { line, text, parts };
  });
  const short = found.flatMap(({ parts }) => ('parts' in parts ? [parts.parts] : []));
  const order = known === 'dmy' || known === 'mdy' ? known : orderOf(short);
  return found.map(({ line, text, parts }) => {
    const [month, date] =
      'parts' in parts
        ? order === 'dmy'
          ? [parts.parts[1], parts.parts[0]]
          : parts.parts
        : [parts.month, parts.day];
    const day = [parts.year, month, date].map((one) => String(one).padStart(2, '0')).join('-');
    if (!isDay(day)) {
      const hint = 'Days are read as the bank writes them: the file may have been saved by a spreadsheet.';
      throw unreadable(`Line ${line} has a date that is none: “${text.slice(0, 40)}”.`, hint);
    }
    if (day > today) throw unreadable(`Line ${line} is of a day to come: ${day}.`);
    return day;
  });
}

/** The order that the days themselves show. */
function orderOf(short: readonly [number, number][]): DateOrder {
  const isDmy = short.some(([first]) => first > 12);
  const isMdy = short.some(([, second]) => second > 12);
  if (isDmy && isMdy) throw unreadable('Some dates begin with the day, and others with the month.');
  if (short.length > 0 && !isDmy && !isMdy) throw new CovermapError('bank_dates_ambiguous');
  return isMdy ? 'mdy' : 'dmy';
}
