import { daysInMonth, type Month, monthName } from '../../../platform/nz-time.ts';
import type { DayQueries } from '../schemas.ts';
import { Table } from '../ui/table.tsx';
import { count, number } from '../words.ts';
import { axisMarks } from './scale.ts';
import { chartInWords, dayOfWeek } from './words.ts';

export interface UsageChartProps {
  month: Month;
  /** From the first of the month to the last day with figures. */
  days: readonly DayQueries[];
  /** True where the last day is not over. */
  goesOn: boolean;
  of: string;
}

/** The queries of a month as bars by day, with a sentence about them and a table of figures. */
export function UsageChart({ month, days, goesOn, of }: UsageChartProps) {
  return (
    <figure class="chart">
      <figcaption class="label">Queries by day</figcaption>
      <div class="chart-plot" role="img" aria-label={chartInWords(month, days, of)}>
        <Bars {...{ month, days, goesOn }} />
      </div>
      <details class="as-table">
        <summary>View as table</summary>
        <div>
          <Table
            caption={`Queries by day, ${monthName(month)}`}
            columns={[
              { title: 'Day', heading: true, cell: ({ date }) => dayOfWeek(date) },
              { title: 'Queries', numeric: true, cell: ({ queries }) => number(queries) },
            ]}
            rows={days}
          />
        </div>
      </details>
    </figure>
  );
}

/** Pointing at a day shows its figure: the style sheet does it. */
function Bars({ month, days, goesOn }: Omit<UsageChartProps, 'of'>) {
  const marks = axisMarks(Math.max(0, ...days.map(({ queries }) => queries)));
  const heightOf = (queries: number) => `${(100 * queries) / (marks.at(-1) as number)}%`;
  return (
    <div class="chart-days">
      {marks.map((mark) => (
        <span key={mark} class="chart-mark" style={{ bottom: heightOf(mark) }}>
          <span>{short(mark)}</span>
        </span>
      ))}
      {Array.from({ length: daysInMonth(month) }, (_, i) => {
        const day = days[i];
        const isPart = goesOn && i === days.length - 1;
        return (
          <div key={i} class={isPart ? 'chart-day part' : 'chart-day'}>
            {day && day.queries > 0 && <div class="chart-bar" style={{ height: heightOf(day.queries) }} />}
            <span class="chart-number">{i + 1}</span>
            {day && (
              <div class="chart-tip" style={tipPlace((i + 0.5) / daysInMonth(month))}>
                <strong>{count(day.queries, 'query', 'queries')}</strong>
                {dayOfWeek(day.date)}
                {isPart && ' so far'}
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** The place of a tip, near the bar but within the chart. @param part of the chart's width, 0 to 1 */
function tipPlace(part: number) {
  return { left: `${100 * part}%`, transform: `translateX(${-100 * part}%)` };
}

const compact = new Intl.NumberFormat('en-NZ', { notation: 'compact', maximumFractionDigits: 1 });
function short(value: number): string {
  return value < 100_000 ? number(value) : compact.format(value);
}
