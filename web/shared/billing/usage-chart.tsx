import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { set } from '../field-value.ts';
import type { DayQueries } from '../schemas.ts';
import { Table } from '../ui/table.tsx';
import { count, number } from '../words.ts';
import { axisMarks } from './scale.ts';
import { dayOfWeek, daysIn, type Month, monthName } from './words.ts';

const height = 220;
const space = { top: 12, right: 4, bottom: 24, left: 52 };

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
  const plot = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    if (!plot.current) return;
    const observer = new ResizeObserver(([entry]) => set(width, Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(plot.current);
    return () => observer.disconnect();
  }, [width]);
  return (
    <figure class="chart">
      <figcaption class="label">Queries by day</figcaption>
      <div class="chart-plot" ref={plot}>
        {width.value >= 120 && <Bars {...{ month, days, goesOn, of }} width={width.value} />}
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

function Bars({ month, days, goesOn, of, width }: UsageChartProps & { width: number }) {
  const pointedAt = useSignal<number | undefined>(undefined);
  const marks = axisMarks(Math.max(0, ...days.map(({ queries }) => queries)));
  const top = marks.at(-1) as number;
  const slots = daysIn(month);
  const plotWidth = width - space.left - space.right;
  const slotWidth = plotWidth / slots;
  const plotHeight = height - space.top - space.bottom;
  const y = (queries: number) => space.top + plotHeight * (1 - queries / top);
  const x = (slot: number) => space.left + slotWidth * slot;
  const gap = slotWidth > 14 ? 4 : 2;
  const labelEvery = slotWidth < 16 ? 7 : slotWidth < 26 ? 2 : 1;
  const isPart = (slot: number) => goesOn && slot === days.length - 1;
  const point = (event: PointerEvent) => set(pointedAt, Math.floor((event.offsetX - space.left) / slotWidth));
  const slot = pointedAt.value ?? -1;
  const day = days[slot];
  return (
    <>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={summary(month, days, of)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => set(pointedAt, undefined)}
      >
        {day && <rect class="chart-band" x={x(slot)} y={space.top} width={slotWidth} height={plotHeight} />}
        {marks.map((mark) => (
          <g key={mark}>
            <line
              class={mark === 0 ? 'chart-axis' : 'chart-grid'}
              x1={space.left}
              x2={width - space.right}
              y1={y(mark)}
              y2={y(mark)}
            />
            <text class="chart-mark" x={space.left - 8} y={y(mark) + 4} text-anchor="end">
              {short(mark)}
            </text>
          </g>
        ))}
        {Array.from({ length: Math.ceil(slots / labelEvery) }, (_, i) => i * labelEvery).map((slot) => (
          <text key={slot} class="chart-mark" x={x(slot + 0.5)} y={height - 6} text-anchor="middle">
            {slot + 1}
          </text>
        ))}
        {days.map(
          ({ date, queries }, slot) =>
            queries > 0 && (
              <path
                key={date}
                class={isPart(slot) ? 'chart-bar part' : 'chart-bar'}
                d={bar(x(slot) + gap / 2, Math.min(y(queries), y(0) - 1), x(slot + 1) - gap / 2, y(0))}
              />
            ),
        )}
      </svg>
      {day && (
        <div class="chart-tip" aria-hidden="true" style={tipPlace(x(slot + 0.5) / width)}>
          <strong>{count(day.queries, 'query', 'queries')}</strong>
          {dayOfWeek(day.date)}
          {isPart(slot) && ' so far'}
        </div>
      )}
    </>
  );
}

/** The place of a tip, near the bar but within the chart. @param part of the chart's width, 0 to 1 */
function tipPlace(part: number) {
  return { left: `${100 * part}%`, transform: `translateX(${-100 * part}%)` };
}

function summary(month: Month, days: readonly DayQueries[], of: string): string {
  const all = days.reduce((sum, { queries }) => sum + queries, 0);
  const busiest = days.reduce<DayQueries | undefined>(
    (best, day) => (day.queries > (best?.queries ?? 0) ? day : best),
    undefined,
  );
  const peak = busiest ? ` Peak: ${dayOfWeek(busiest.date)}, ${number(busiest.queries)}.` : '';
  return `Bar chart of the queries of ${of} by day in ${monthName(month)}: ${number(all)} in ${count(days.length, 'day')}.${peak}`;
}

/** The path of a bar with round upper corners. */
function bar(left: number, top: number, right: number, bottom: number): string {
  const radius = Math.min(4, (right - left) / 2, bottom - top);
  return [
    `M${left} ${bottom}V${top + radius}a${radius} ${radius} 0 0 1 ${radius} ${-radius}`,
    `H${right - radius}a${radius} ${radius} 0 0 1 ${radius} ${radius}V${bottom}Z`,
  ].join('');
}

const compact = new Intl.NumberFormat('en-NZ', { notation: 'compact', maximumFractionDigits: 1 });
function short(value: number): string {
  return value < 100_000 ? number(value) : compact.format(value);
}
