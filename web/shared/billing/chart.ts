import { fill, h, newId } from '../dom.ts';
import { table } from '../table.ts';
import { count, number } from '../words.ts';
import { axisMarks } from './scale.ts';
import type { DayUsage, Month } from './types.ts';
import { dayOfWeek, daysIn, monthName } from './words.ts';

const height = 220;
const space = { top: 12, right: 4, bottom: 24, left: 52 };
const svgNames = 'http://www.w3.org/2000/svg';

export interface UsageChart {
  month: Month;
  /** From the first of the month to the last day there is something to say of. */
  days: readonly DayUsage[];
  /** Whether the last of the days still goes on. */
  goesOn: boolean;
  /** Whose queries they are. */
  of: string;
}

/**
 * The queries of a month as bars, a day each, as wide as there is room. What it shows is said in a sentence to those who do
 * not see it, and all of its figures are in a table below it.
 */
export function usageChart({ month, days, goesOn, of }: UsageChart): HTMLElement {
  const captionId = newId('chart');
  const plot = h('div', { class: 'chart-plot' });
  const tip = h('div', { class: 'chart-tip', hidden: true, 'aria-hidden': 'true' });
  const most = Math.max(0, ...days.map(({ queries }) => queries));
  const marks = axisMarks(most);
  const top = marks.at(-1) as number;
  const slots = daysIn(month);
  let drawnWidth = 0;

  const draw = (width: number) => {
    if (width === drawnWidth || width < 120) return;
    drawnWidth = width;
    const plotWidth = width - space.left - space.right;
    const plotHeight = height - space.top - space.bottom;
    const y = (queries: number) => space.top + plotHeight * (1 - queries / top);
    const x = (slot: number) => space.left + (plotWidth * slot) / slots;
    const gap = plotWidth / slots > 14 ? 4 : 2;
    const chart = svg('svg', {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-labelledby': captionId,
    });
    for (const mark of marks) {
      chart.append(
        svg('line', {
          class: mark === 0 ? 'chart-axis' : 'chart-grid',
          x1: space.left,
          x2: width - space.right,
          y1: y(mark),
          y2: y(mark),
        }),
        svg(
          'text',
          { class: 'chart-mark', x: space.left - 8, y: y(mark) + 4, 'text-anchor': 'end' },
          short(mark),
        ),
      );
    }
    const labelEvery = plotWidth / slots < 16 ? 7 : plotWidth / slots < 26 ? 2 : 1;
    for (let slot = 0; slot < slots; slot += labelEvery) {
      const middle = (x(slot) + x(slot + 1)) / 2;
      chart.append(
        svg(
          'text',
          { class: 'chart-mark', x: middle, y: height - 6, 'text-anchor': 'middle' },
          `${slot + 1}`,
        ),
      );
    }
    days.forEach(({ queries }, slot) => {
      const isPart = goesOn && slot === days.length - 1;
      if (queries === 0) return;
      chart.append(
        svg('path', {
          class: isPart ? 'chart-bar part' : 'chart-bar',
          d: bar(x(slot) + gap / 2, Math.min(y(queries), y(0) - 1), x(slot + 1) - gap / 2, y(0)),
        }),
      );
    });
    const band = svg('rect', {
      class: 'chart-band',
      y: space.top,
      width: plotWidth / slots,
      height: plotHeight,
    });
    band.setAttribute('visibility', 'hidden');
    chart.prepend(band);
    const point = (event: PointerEvent) => {
      const slot = Math.floor(((event.offsetX - space.left) / plotWidth) * slots);
      const day = days[slot];
      tip.hidden = !day;
      band.setAttribute('visibility', day ? 'visible' : 'hidden');
      if (!day) return;
      band.setAttribute('x', String(x(slot)));
      const sofar = goesOn && slot === days.length - 1 ? ' so far' : '';
      fill(tip, h('strong', {}, count(day.queries, 'query', 'queries')), `${dayOfWeek(day.date)}${sofar}`);
      const middle = (x(slot) + x(slot + 1)) / 2;
      tip.style.left = `${Math.min(width - tip.offsetWidth / 2, Math.max(tip.offsetWidth / 2, middle))}px`;
    };
    chart.addEventListener('pointermove', point);
    chart.addEventListener('pointerdown', point);
    chart.addEventListener('pointerleave', () => {
      tip.hidden = true;
      band.setAttribute('visibility', 'hidden');
    });
    plot.replaceChildren(chart, tip);
  };
  // The observer goes with the element that it observes.
  new ResizeObserver(([entry]) => draw(Math.floor(entry?.contentRect.width ?? 0))).observe(plot);

  return h(
    'figure',
    { class: 'chart' },
    h(
      'figcaption',
      { class: 'chart-caption' },
      h('span', { class: 'label' }, 'Queries by day'),
      h('span', { class: 'visually-hidden', id: captionId }, summary(month, days, of)),
    ),
    plot,
    h(
      'details',
      { class: 'as-table' },
      h('summary', {}, 'The same as a table'),
      h(
        'div',
        {},
        table<DayUsage>(
          `Queries by day, ${monthName(month)}`,
          [
            { title: 'Day', heading: true, cell: ({ date }) => dayOfWeek(date) },
            { title: 'Queries', numeric: true, cell: ({ queries }) => number(queries) },
          ],
          days,
        ),
      ),
    ),
  );
}

function summary(month: Month, days: readonly DayUsage[], of: string): string {
  const all = days.reduce((sum, { queries }) => sum + queries, 0);
  const busiest = days.reduce<DayUsage | undefined>(
    (best, day) => (day.queries > (best?.queries ?? 0) ? day : best),
    undefined,
  );
  const peak = busiest ? ` Most on ${dayOfWeek(busiest.date)}: ${number(busiest.queries)}.` : '';
  return `Bar chart of the queries of ${of} by day in ${monthName(month)}: ${number(all)} in ${count(days.length, 'day')}.${peak}`;
}

/** A bar with round corners at its upper end. */
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

function svg(name: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(svgNames, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}
